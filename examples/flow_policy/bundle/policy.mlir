module {
  util.global private @"$action_mean" = #flow.parameter.named<"model"::"action_mean"> : tensor<4xf32>
  util.global private @"$action_std" = #flow.parameter.named<"model"::"action_std"> : tensor<4xf32>
  util.global private @"$embedding" = #flow.parameter.named<"model"::"embedding"> : tensor<32x128xf32>
  util.global private @"$empty" = #flow.parameter.named<"model"::"empty"> : tensor<64x64xf32>
  util.global private @"$patch" = #flow.parameter.named<"model"::"patch"> : tensor<512x128xf32>
  util.global private @"$patch_position" = #flow.parameter.named<"model"::"patch_position"> : tensor<16x128xf32>
  util.global private @"$prefix0.down" = #flow.parameter.named<"model"::"prefix0.down"> : tensor<256x128xf32>
  util.global private @"$prefix0.kv" = #flow.parameter.named<"model"::"prefix0.kv"> : tensor<128x256xf32>
  util.global private @"$prefix0.out" = #flow.parameter.named<"model"::"prefix0.out"> : tensor<128x128xf32>
  util.global private @"$prefix0.query" = #flow.parameter.named<"model"::"prefix0.query"> : tensor<128x128xf32>
  util.global private @"$prefix0.up" = #flow.parameter.named<"model"::"prefix0.up"> : tensor<128x512xf32>
  util.global private @"$prefix1.down" = #flow.parameter.named<"model"::"prefix1.down"> : tensor<256x128xf32>
  util.global private @"$prefix1.kv" = #flow.parameter.named<"model"::"prefix1.kv"> : tensor<128x256xf32>
  util.global private @"$prefix1.out" = #flow.parameter.named<"model"::"prefix1.out"> : tensor<128x128xf32>
  util.global private @"$prefix1.query" = #flow.parameter.named<"model"::"prefix1.query"> : tensor<128x128xf32>
  util.global private @"$prefix1.up" = #flow.parameter.named<"model"::"prefix1.up"> : tensor<128x512xf32>
  util.global private @"$prefix2.down" = #flow.parameter.named<"model"::"prefix2.down"> : tensor<256x128xf32>
  util.global private @"$prefix2.kv" = #flow.parameter.named<"model"::"prefix2.kv"> : tensor<128x256xf32>
  util.global private @"$prefix2.out" = #flow.parameter.named<"model"::"prefix2.out"> : tensor<128x128xf32>
  util.global private @"$prefix2.query" = #flow.parameter.named<"model"::"prefix2.query"> : tensor<128x128xf32>
  util.global private @"$prefix2.up" = #flow.parameter.named<"model"::"prefix2.up"> : tensor<128x512xf32>
  util.global private @"$prefix3.kv" = #flow.parameter.named<"model"::"prefix3.kv"> : tensor<128x256xf32>
  util.global private @"$word_position" = #flow.parameter.named<"model"::"word_position"> : tensor<16x128xf32>
  util.global private @"$action_bias" = #flow.parameter.named<"model"::"action_bias"> : tensor<96xf32>
  util.global private @"$action_in" = #flow.parameter.named<"model"::"action_in"> : tensor<4x96xf32>
  util.global private @"$action_mix" = #flow.parameter.named<"model"::"action_mix"> : tensor<96x96xf32>
  util.global private @"$action_out" = #flow.parameter.named<"model"::"action_out"> : tensor<96x4xf32>
  util.global private @"$clock" = #flow.parameter.named<"model"::"clock"> : tensor<96x96xf32>
  util.global private @"$expert0.down" = #flow.parameter.named<"model"::"expert0.down"> : tensor<192x96xf32>
  util.global private @"$expert0.out" = #flow.parameter.named<"model"::"expert0.out"> : tensor<128x96xf32>
  util.global private @"$expert0.qkv" = #flow.parameter.named<"model"::"expert0.qkv"> : tensor<96x384xf32>
  util.global private @"$expert0.up" = #flow.parameter.named<"model"::"expert0.up"> : tensor<96x384xf32>
  util.global private @"$expert1.down" = #flow.parameter.named<"model"::"expert1.down"> : tensor<192x96xf32>
  util.global private @"$expert1.out" = #flow.parameter.named<"model"::"expert1.out"> : tensor<128x96xf32>
  util.global private @"$expert1.qkv" = #flow.parameter.named<"model"::"expert1.qkv"> : tensor<96x384xf32>
  util.global private @"$expert1.up" = #flow.parameter.named<"model"::"expert1.up"> : tensor<96x384xf32>
  util.global private @"$expert2.down" = #flow.parameter.named<"model"::"expert2.down"> : tensor<192x96xf32>
  util.global private @"$expert2.out" = #flow.parameter.named<"model"::"expert2.out"> : tensor<128x96xf32>
  util.global private @"$expert2.qkv" = #flow.parameter.named<"model"::"expert2.qkv"> : tensor<96x384xf32>
  util.global private @"$expert2.up" = #flow.parameter.named<"model"::"expert2.up"> : tensor<96x384xf32>
  util.global private @"$expert3.down" = #flow.parameter.named<"model"::"expert3.down"> : tensor<192x96xf32>
  util.global private @"$expert3.out" = #flow.parameter.named<"model"::"expert3.out"> : tensor<128x96xf32>
  util.global private @"$expert3.qkv" = #flow.parameter.named<"model"::"expert3.qkv"> : tensor<96x384xf32>
  util.global private @"$expert3.up" = #flow.parameter.named<"model"::"expert3.up"> : tensor<96x384xf32>
  util.global private @"$motion_mean" = #flow.parameter.named<"model"::"motion_mean"> : tensor<8xf32>
  util.global private @"$motion_std" = #flow.parameter.named<"model"::"motion_std"> : tensor<8xf32>
  util.global private @"$state_in" = #flow.parameter.named<"model"::"state_in"> : tensor<8x96xf32>
  util.global private @"$suffix_position" = #flow.parameter.named<"model"::"suffix_position"> : tensor<25x96xf32>
  func.func public @begin(%arg0: tensor<24x4xf32>, %arg1: tensor<24x4xf32> {iree.abi.output = 0 : index}, %arg2: tensor<f32> {iree.abi.output = 1 : index}, %arg3: !hal.buffer {iree.abi.transients}) -> (tensor<24x4xf32>, tensor<f32>) attributes {iree.reflection = {polyrhythm.inputs = "noise", polyrhythm.outputs = "x,t"}} {
    %0 = util.optimization_barrier %arg0 : tensor<24x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    return %arg0, %cst : tensor<24x4xf32>, tensor<f32>
  }
  func.func public @begin_guided(%arg0: tensor<24x4xf32>, %arg1: tensor<24x4xf32>, %arg2: tensor<24x4xf32> {iree.abi.output = 0 : index}, %arg3: tensor<f32> {iree.abi.output = 1 : index}, %arg4: tensor<24x4xf32> {iree.abi.output = 2 : index}, %arg5: !hal.buffer {iree.abi.transients}) -> (tensor<24x4xf32>, tensor<f32>, tensor<24x4xf32>) attributes {iree.reflection = {polyrhythm.inputs = "noise,previous", polyrhythm.outputs = "x,t,target"}} {
    %0:2 = util.optimization_barrier %arg0, %arg1 : tensor<24x4xf32>, tensor<24x4xf32>
    %$action_mean = util.global.load @"$action_mean" : tensor<4xf32>
    %$action_std = util.global.load @"$action_std" : tensor<4xf32>
    %1 = stablehlo.broadcast_in_dim %$action_mean, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<24x4xf32>
    %3 = stablehlo.subtract %arg1, %2 : tensor<24x4xf32>
    %4 = stablehlo.broadcast_in_dim %$action_std, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<24x4xf32>
    %6 = stablehlo.divide %3, %5 : tensor<24x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    return %arg0, %cst, %6 : tensor<24x4xf32>, tensor<f32>, tensor<24x4xf32>
  }
  func.func public @prefill(%arg0: tensor<64x64xf32>, %arg1: tensor<16xi32>, %arg2: tensor<4x2x4x32x32xf32> {iree.abi.output = 0 : index}, %arg3: !hal.buffer {iree.abi.transients}) -> tensor<4x2x4x32x32xf32> attributes {iree.reflection = {polyrhythm.inputs = "depth,instruction", polyrhythm.outputs = "kv"}} {
    %0:2 = util.optimization_barrier %arg0, %arg1 : tensor<64x64xf32>, tensor<16xi32>
    %$embedding = util.global.load @"$embedding" : tensor<32x128xf32>
    %$empty = util.global.load @"$empty" : tensor<64x64xf32>
    %$patch = util.global.load @"$patch" : tensor<512x128xf32>
    %$patch_position = util.global.load @"$patch_position" : tensor<16x128xf32>
    %$prefix0.down = util.global.load @"$prefix0.down" : tensor<256x128xf32>
    %$prefix0.kv = util.global.load @"$prefix0.kv" : tensor<128x256xf32>
    %$prefix0.out = util.global.load @"$prefix0.out" : tensor<128x128xf32>
    %$prefix0.query = util.global.load @"$prefix0.query" : tensor<128x128xf32>
    %$prefix0.up = util.global.load @"$prefix0.up" : tensor<128x512xf32>
    %$prefix1.down = util.global.load @"$prefix1.down" : tensor<256x128xf32>
    %$prefix1.kv = util.global.load @"$prefix1.kv" : tensor<128x256xf32>
    %$prefix1.out = util.global.load @"$prefix1.out" : tensor<128x128xf32>
    %$prefix1.query = util.global.load @"$prefix1.query" : tensor<128x128xf32>
    %$prefix1.up = util.global.load @"$prefix1.up" : tensor<128x512xf32>
    %$prefix2.down = util.global.load @"$prefix2.down" : tensor<256x128xf32>
    %$prefix2.kv = util.global.load @"$prefix2.kv" : tensor<128x256xf32>
    %$prefix2.out = util.global.load @"$prefix2.out" : tensor<128x128xf32>
    %$prefix2.query = util.global.load @"$prefix2.query" : tensor<128x128xf32>
    %$prefix2.up = util.global.load @"$prefix2.up" : tensor<128x512xf32>
    %$prefix3.kv = util.global.load @"$prefix3.kv" : tensor<128x256xf32>
    %$word_position = util.global.load @"$word_position" : tensor<16x128xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %2 = stablehlo.compare LT, %arg1, %1, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %4 = stablehlo.add %arg1, %3 : tensor<16xi32>
    %5 = stablehlo.select %2, %4, %arg1 : tensor<16xi1>, tensor<16xi32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %7 = "stablehlo.gather"(%$embedding, %6) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 128>}> : (tensor<32x128xf32>, tensor<16x1xi32>) -> tensor<16x128xf32>
    %8 = stablehlo.add %7, %$word_position : tensor<16x128xf32>
    %cst = stablehlo.constant dense<6.000000e-01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
    %10 = stablehlo.subtract %arg0, %9 : tensor<64x64xf32>
    %cst_1 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
    %12 = stablehlo.multiply %10, %11 : tensor<64x64xf32>
    %13 = stablehlo.subtract %$empty, %arg0 : tensor<64x64xf32>
    %cst_2 = stablehlo.constant dense<2.000000e+01> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
    %15 = stablehlo.multiply %13, %14 : tensor<64x64xf32>
    %16 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<64x64xf32>) -> tensor<64x64x1xf32>
    %17 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<64x64xf32>) -> tensor<64x64x1xf32>
    %18 = stablehlo.concatenate %16, %17, dim = 2 : (tensor<64x64x1xf32>, tensor<64x64x1xf32>) -> tensor<64x64x2xf32>
    %19 = stablehlo.reshape %18 : (tensor<64x64x2xf32>) -> tensor<4x16x4x16x2xf32>
    %20 = stablehlo.transpose %19, dims = [0, 2, 1, 3, 4] : (tensor<4x16x4x16x2xf32>) -> tensor<4x4x16x16x2xf32>
    %21 = stablehlo.reshape %20 : (tensor<4x4x16x16x2xf32>) -> tensor<16x512xf32>
    %22 = stablehlo.dot_general %21, %$patch, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x512xf32>, tensor<512x128xf32>) -> tensor<16x128xf32>
    %23 = stablehlo.add %22, %$patch_position : tensor<16x128xf32>
    %24 = stablehlo.concatenate %23, %8, dim = 0 : (tensor<16x128xf32>, tensor<16x128xf32>) -> tensor<32x128xf32>
    %25 = stablehlo.multiply %24, %24 : tensor<32x128xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.reduce(%25 init: %cst_3) applies stablehlo.add across dimensions = [1] : (tensor<32x128xf32>, tensor<f32>) -> tensor<32xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0] : (tensor<32xf32>) -> tensor<32x1xf32>
    %cst_4 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<32x1xf32>
    %29 = stablehlo.divide %27, %28 : tensor<32x1xf32>
    %cst_5 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<32x1xf32>
    %31 = stablehlo.add %29, %30 : tensor<32x1xf32>
    %32 = stablehlo.rsqrt %31 : tensor<32x1xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1] : (tensor<32x1xf32>) -> tensor<32x128xf32>
    %34 = stablehlo.multiply %24, %33 : tensor<32x128xf32>
    %35 = stablehlo.dot_general %34, %$prefix0.kv, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x128xf32>, tensor<128x256xf32>) -> tensor<32x256xf32>
    %36 = stablehlo.slice %35 [0:32, 0:128] : (tensor<32x256xf32>) -> tensor<32x128xf32>
    %37 = stablehlo.slice %35 [0:32, 128:256] : (tensor<32x256xf32>) -> tensor<32x128xf32>
    %38 = stablehlo.reshape %36 : (tensor<32x128xf32>) -> tensor<32x4x32xf32>
    %39 = stablehlo.transpose %38, dims = [1, 0, 2] : (tensor<32x4x32xf32>) -> tensor<4x32x32xf32>
    %40 = stablehlo.reshape %37 : (tensor<32x128xf32>) -> tensor<32x4x32xf32>
    %41 = stablehlo.transpose %40, dims = [1, 0, 2] : (tensor<32x4x32xf32>) -> tensor<4x32x32xf32>
    %42 = stablehlo.broadcast_in_dim %39, dims = [1, 2, 3] : (tensor<4x32x32xf32>) -> tensor<1x4x32x32xf32>
    %43 = stablehlo.broadcast_in_dim %41, dims = [1, 2, 3] : (tensor<4x32x32xf32>) -> tensor<1x4x32x32xf32>
    %44 = stablehlo.concatenate %42, %43, dim = 0 : (tensor<1x4x32x32xf32>, tensor<1x4x32x32xf32>) -> tensor<2x4x32x32xf32>
    %45 = stablehlo.dot_general %34, %$prefix0.query, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x128xf32>, tensor<128x128xf32>) -> tensor<32x128xf32>
    %46 = stablehlo.reshape %45 : (tensor<32x128xf32>) -> tensor<32x4x32xf32>
    %47 = stablehlo.transpose %46, dims = [1, 0, 2] : (tensor<32x4x32xf32>) -> tensor<4x32x32xf32>
    %48 = stablehlo.dot_general %47, %39, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x32x32xf32>, tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
    %cst_6 = stablehlo.constant dense<0.176776692> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x32x32xf32>
    %50 = stablehlo.multiply %48, %49 : tensor<4x32x32xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %51 = stablehlo.reduce(%50 init: %cst_7) applies stablehlo.maximum across dimensions = [2] : (tensor<4x32x32xf32>, tensor<f32>) -> tensor<4x32xf32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x32xf32>
    %53 = stablehlo.maximum %52, %51 : tensor<4x32xf32>
    %54 = stablehlo.broadcast_in_dim %53, dims = [0, 1] : (tensor<4x32xf32>) -> tensor<4x32x1xf32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [0, 1, 2] : (tensor<4x32x1xf32>) -> tensor<4x32x32xf32>
    %56 = stablehlo.subtract %50, %55 : tensor<4x32x32xf32>
    %57 = stablehlo.exponential %56 : tensor<4x32x32xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %58 = stablehlo.reduce(%57 init: %cst_9) applies stablehlo.add across dimensions = [2] : (tensor<4x32x32xf32>, tensor<f32>) -> tensor<4x32xf32>
    %59 = stablehlo.broadcast_in_dim %58, dims = [0, 1] : (tensor<4x32xf32>) -> tensor<4x32x1xf32>
    %60 = stablehlo.broadcast_in_dim %59, dims = [0, 1, 2] : (tensor<4x32x1xf32>) -> tensor<4x32x32xf32>
    %61 = stablehlo.divide %57, %60 : tensor<4x32x32xf32>
    %62 = stablehlo.slice %61 [0:4, 0:32, 0:32] : (tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
    %63 = stablehlo.dot_general %62, %41, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x32x32xf32>, tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x32x32xf32>
    %65 = stablehlo.add %64, %63 : tensor<4x32x32xf32>
    %66 = stablehlo.transpose %65, dims = [1, 0, 2] : (tensor<4x32x32xf32>) -> tensor<32x4x32xf32>
    %67 = stablehlo.reshape %66 : (tensor<32x4x32xf32>) -> tensor<32x128xf32>
    %68 = stablehlo.dot_general %67, %$prefix0.out, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x128xf32>, tensor<128x128xf32>) -> tensor<32x128xf32>
    %69 = stablehlo.add %24, %68 : tensor<32x128xf32>
    %70 = stablehlo.multiply %69, %69 : tensor<32x128xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %71 = stablehlo.reduce(%70 init: %cst_11) applies stablehlo.add across dimensions = [1] : (tensor<32x128xf32>, tensor<f32>) -> tensor<32xf32>
    %72 = stablehlo.broadcast_in_dim %71, dims = [0] : (tensor<32xf32>) -> tensor<32x1xf32>
    %cst_12 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<32x1xf32>
    %74 = stablehlo.divide %72, %73 : tensor<32x1xf32>
    %cst_13 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<32x1xf32>
    %76 = stablehlo.add %74, %75 : tensor<32x1xf32>
    %77 = stablehlo.rsqrt %76 : tensor<32x1xf32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [0, 1] : (tensor<32x1xf32>) -> tensor<32x128xf32>
    %79 = stablehlo.multiply %69, %78 : tensor<32x128xf32>
    %80 = stablehlo.dot_general %79, %$prefix0.up, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x128xf32>, tensor<128x512xf32>) -> tensor<32x512xf32>
    %81 = stablehlo.slice %80 [0:32, 0:256] : (tensor<32x512xf32>) -> tensor<32x256xf32>
    %82 = stablehlo.slice %80 [0:32, 256:512] : (tensor<32x512xf32>) -> tensor<32x256xf32>
    %83 = call @prefill$silu(%81) : (tensor<32x256xf32>) -> tensor<32x256xf32>
    %84 = stablehlo.multiply %83, %82 : tensor<32x256xf32>
    %85 = stablehlo.dot_general %84, %$prefix0.down, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x256xf32>, tensor<256x128xf32>) -> tensor<32x128xf32>
    %86 = stablehlo.add %69, %85 : tensor<32x128xf32>
    %87 = stablehlo.multiply %86, %86 : tensor<32x128xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %88 = stablehlo.reduce(%87 init: %cst_14) applies stablehlo.add across dimensions = [1] : (tensor<32x128xf32>, tensor<f32>) -> tensor<32xf32>
    %89 = stablehlo.broadcast_in_dim %88, dims = [0] : (tensor<32xf32>) -> tensor<32x1xf32>
    %cst_15 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<32x1xf32>
    %91 = stablehlo.divide %89, %90 : tensor<32x1xf32>
    %cst_16 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<32x1xf32>
    %93 = stablehlo.add %91, %92 : tensor<32x1xf32>
    %94 = stablehlo.rsqrt %93 : tensor<32x1xf32>
    %95 = stablehlo.broadcast_in_dim %94, dims = [0, 1] : (tensor<32x1xf32>) -> tensor<32x128xf32>
    %96 = stablehlo.multiply %86, %95 : tensor<32x128xf32>
    %97 = stablehlo.dot_general %96, %$prefix1.kv, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x128xf32>, tensor<128x256xf32>) -> tensor<32x256xf32>
    %98 = stablehlo.slice %97 [0:32, 0:128] : (tensor<32x256xf32>) -> tensor<32x128xf32>
    %99 = stablehlo.slice %97 [0:32, 128:256] : (tensor<32x256xf32>) -> tensor<32x128xf32>
    %100 = stablehlo.reshape %98 : (tensor<32x128xf32>) -> tensor<32x4x32xf32>
    %101 = stablehlo.transpose %100, dims = [1, 0, 2] : (tensor<32x4x32xf32>) -> tensor<4x32x32xf32>
    %102 = stablehlo.reshape %99 : (tensor<32x128xf32>) -> tensor<32x4x32xf32>
    %103 = stablehlo.transpose %102, dims = [1, 0, 2] : (tensor<32x4x32xf32>) -> tensor<4x32x32xf32>
    %104 = stablehlo.broadcast_in_dim %101, dims = [1, 2, 3] : (tensor<4x32x32xf32>) -> tensor<1x4x32x32xf32>
    %105 = stablehlo.broadcast_in_dim %103, dims = [1, 2, 3] : (tensor<4x32x32xf32>) -> tensor<1x4x32x32xf32>
    %106 = stablehlo.concatenate %104, %105, dim = 0 : (tensor<1x4x32x32xf32>, tensor<1x4x32x32xf32>) -> tensor<2x4x32x32xf32>
    %107 = stablehlo.dot_general %96, %$prefix1.query, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x128xf32>, tensor<128x128xf32>) -> tensor<32x128xf32>
    %108 = stablehlo.reshape %107 : (tensor<32x128xf32>) -> tensor<32x4x32xf32>
    %109 = stablehlo.transpose %108, dims = [1, 0, 2] : (tensor<32x4x32xf32>) -> tensor<4x32x32xf32>
    %110 = stablehlo.dot_general %109, %101, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x32x32xf32>, tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
    %cst_17 = stablehlo.constant dense<0.176776692> : tensor<f32>
    %111 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x32x32xf32>
    %112 = stablehlo.multiply %110, %111 : tensor<4x32x32xf32>
    %cst_18 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %113 = stablehlo.reduce(%112 init: %cst_18) applies stablehlo.maximum across dimensions = [2] : (tensor<4x32x32xf32>, tensor<f32>) -> tensor<4x32xf32>
    %cst_19 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %114 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x32xf32>
    %115 = stablehlo.maximum %114, %113 : tensor<4x32xf32>
    %116 = stablehlo.broadcast_in_dim %115, dims = [0, 1] : (tensor<4x32xf32>) -> tensor<4x32x1xf32>
    %117 = stablehlo.broadcast_in_dim %116, dims = [0, 1, 2] : (tensor<4x32x1xf32>) -> tensor<4x32x32xf32>
    %118 = stablehlo.subtract %112, %117 : tensor<4x32x32xf32>
    %119 = stablehlo.exponential %118 : tensor<4x32x32xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %120 = stablehlo.reduce(%119 init: %cst_20) applies stablehlo.add across dimensions = [2] : (tensor<4x32x32xf32>, tensor<f32>) -> tensor<4x32xf32>
    %121 = stablehlo.broadcast_in_dim %120, dims = [0, 1] : (tensor<4x32xf32>) -> tensor<4x32x1xf32>
    %122 = stablehlo.broadcast_in_dim %121, dims = [0, 1, 2] : (tensor<4x32x1xf32>) -> tensor<4x32x32xf32>
    %123 = stablehlo.divide %119, %122 : tensor<4x32x32xf32>
    %124 = stablehlo.slice %123 [0:4, 0:32, 0:32] : (tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
    %125 = stablehlo.dot_general %124, %103, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x32x32xf32>, tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %126 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4x32x32xf32>
    %127 = stablehlo.add %126, %125 : tensor<4x32x32xf32>
    %128 = stablehlo.transpose %127, dims = [1, 0, 2] : (tensor<4x32x32xf32>) -> tensor<32x4x32xf32>
    %129 = stablehlo.reshape %128 : (tensor<32x4x32xf32>) -> tensor<32x128xf32>
    %130 = stablehlo.dot_general %129, %$prefix1.out, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x128xf32>, tensor<128x128xf32>) -> tensor<32x128xf32>
    %131 = stablehlo.add %86, %130 : tensor<32x128xf32>
    %132 = stablehlo.multiply %131, %131 : tensor<32x128xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %133 = stablehlo.reduce(%132 init: %cst_22) applies stablehlo.add across dimensions = [1] : (tensor<32x128xf32>, tensor<f32>) -> tensor<32xf32>
    %134 = stablehlo.broadcast_in_dim %133, dims = [0] : (tensor<32xf32>) -> tensor<32x1xf32>
    %cst_23 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %135 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<32x1xf32>
    %136 = stablehlo.divide %134, %135 : tensor<32x1xf32>
    %cst_24 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %137 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<32x1xf32>
    %138 = stablehlo.add %136, %137 : tensor<32x1xf32>
    %139 = stablehlo.rsqrt %138 : tensor<32x1xf32>
    %140 = stablehlo.broadcast_in_dim %139, dims = [0, 1] : (tensor<32x1xf32>) -> tensor<32x128xf32>
    %141 = stablehlo.multiply %131, %140 : tensor<32x128xf32>
    %142 = stablehlo.dot_general %141, %$prefix1.up, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x128xf32>, tensor<128x512xf32>) -> tensor<32x512xf32>
    %143 = stablehlo.slice %142 [0:32, 0:256] : (tensor<32x512xf32>) -> tensor<32x256xf32>
    %144 = stablehlo.slice %142 [0:32, 256:512] : (tensor<32x512xf32>) -> tensor<32x256xf32>
    %145 = call @prefill$silu(%143) : (tensor<32x256xf32>) -> tensor<32x256xf32>
    %146 = stablehlo.multiply %145, %144 : tensor<32x256xf32>
    %147 = stablehlo.dot_general %146, %$prefix1.down, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x256xf32>, tensor<256x128xf32>) -> tensor<32x128xf32>
    %148 = stablehlo.add %131, %147 : tensor<32x128xf32>
    %149 = stablehlo.multiply %148, %148 : tensor<32x128xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %150 = stablehlo.reduce(%149 init: %cst_25) applies stablehlo.add across dimensions = [1] : (tensor<32x128xf32>, tensor<f32>) -> tensor<32xf32>
    %151 = stablehlo.broadcast_in_dim %150, dims = [0] : (tensor<32xf32>) -> tensor<32x1xf32>
    %cst_26 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %152 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<32x1xf32>
    %153 = stablehlo.divide %151, %152 : tensor<32x1xf32>
    %cst_27 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %154 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<32x1xf32>
    %155 = stablehlo.add %153, %154 : tensor<32x1xf32>
    %156 = stablehlo.rsqrt %155 : tensor<32x1xf32>
    %157 = stablehlo.broadcast_in_dim %156, dims = [0, 1] : (tensor<32x1xf32>) -> tensor<32x128xf32>
    %158 = stablehlo.multiply %148, %157 : tensor<32x128xf32>
    %159 = stablehlo.dot_general %158, %$prefix2.kv, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x128xf32>, tensor<128x256xf32>) -> tensor<32x256xf32>
    %160 = stablehlo.slice %159 [0:32, 0:128] : (tensor<32x256xf32>) -> tensor<32x128xf32>
    %161 = stablehlo.slice %159 [0:32, 128:256] : (tensor<32x256xf32>) -> tensor<32x128xf32>
    %162 = stablehlo.reshape %160 : (tensor<32x128xf32>) -> tensor<32x4x32xf32>
    %163 = stablehlo.transpose %162, dims = [1, 0, 2] : (tensor<32x4x32xf32>) -> tensor<4x32x32xf32>
    %164 = stablehlo.reshape %161 : (tensor<32x128xf32>) -> tensor<32x4x32xf32>
    %165 = stablehlo.transpose %164, dims = [1, 0, 2] : (tensor<32x4x32xf32>) -> tensor<4x32x32xf32>
    %166 = stablehlo.broadcast_in_dim %163, dims = [1, 2, 3] : (tensor<4x32x32xf32>) -> tensor<1x4x32x32xf32>
    %167 = stablehlo.broadcast_in_dim %165, dims = [1, 2, 3] : (tensor<4x32x32xf32>) -> tensor<1x4x32x32xf32>
    %168 = stablehlo.concatenate %166, %167, dim = 0 : (tensor<1x4x32x32xf32>, tensor<1x4x32x32xf32>) -> tensor<2x4x32x32xf32>
    %169 = stablehlo.dot_general %158, %$prefix2.query, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x128xf32>, tensor<128x128xf32>) -> tensor<32x128xf32>
    %170 = stablehlo.reshape %169 : (tensor<32x128xf32>) -> tensor<32x4x32xf32>
    %171 = stablehlo.transpose %170, dims = [1, 0, 2] : (tensor<32x4x32xf32>) -> tensor<4x32x32xf32>
    %172 = stablehlo.dot_general %171, %163, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x32x32xf32>, tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
    %cst_28 = stablehlo.constant dense<0.176776692> : tensor<f32>
    %173 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<4x32x32xf32>
    %174 = stablehlo.multiply %172, %173 : tensor<4x32x32xf32>
    %cst_29 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %175 = stablehlo.reduce(%174 init: %cst_29) applies stablehlo.maximum across dimensions = [2] : (tensor<4x32x32xf32>, tensor<f32>) -> tensor<4x32xf32>
    %cst_30 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %176 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<4x32xf32>
    %177 = stablehlo.maximum %176, %175 : tensor<4x32xf32>
    %178 = stablehlo.broadcast_in_dim %177, dims = [0, 1] : (tensor<4x32xf32>) -> tensor<4x32x1xf32>
    %179 = stablehlo.broadcast_in_dim %178, dims = [0, 1, 2] : (tensor<4x32x1xf32>) -> tensor<4x32x32xf32>
    %180 = stablehlo.subtract %174, %179 : tensor<4x32x32xf32>
    %181 = stablehlo.exponential %180 : tensor<4x32x32xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %182 = stablehlo.reduce(%181 init: %cst_31) applies stablehlo.add across dimensions = [2] : (tensor<4x32x32xf32>, tensor<f32>) -> tensor<4x32xf32>
    %183 = stablehlo.broadcast_in_dim %182, dims = [0, 1] : (tensor<4x32xf32>) -> tensor<4x32x1xf32>
    %184 = stablehlo.broadcast_in_dim %183, dims = [0, 1, 2] : (tensor<4x32x1xf32>) -> tensor<4x32x32xf32>
    %185 = stablehlo.divide %181, %184 : tensor<4x32x32xf32>
    %186 = stablehlo.slice %185 [0:4, 0:32, 0:32] : (tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
    %187 = stablehlo.dot_general %186, %165, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x32x32xf32>, tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %188 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<4x32x32xf32>
    %189 = stablehlo.add %188, %187 : tensor<4x32x32xf32>
    %190 = stablehlo.transpose %189, dims = [1, 0, 2] : (tensor<4x32x32xf32>) -> tensor<32x4x32xf32>
    %191 = stablehlo.reshape %190 : (tensor<32x4x32xf32>) -> tensor<32x128xf32>
    %192 = stablehlo.dot_general %191, %$prefix2.out, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x128xf32>, tensor<128x128xf32>) -> tensor<32x128xf32>
    %193 = stablehlo.add %148, %192 : tensor<32x128xf32>
    %194 = stablehlo.multiply %193, %193 : tensor<32x128xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %195 = stablehlo.reduce(%194 init: %cst_33) applies stablehlo.add across dimensions = [1] : (tensor<32x128xf32>, tensor<f32>) -> tensor<32xf32>
    %196 = stablehlo.broadcast_in_dim %195, dims = [0] : (tensor<32xf32>) -> tensor<32x1xf32>
    %cst_34 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %197 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<32x1xf32>
    %198 = stablehlo.divide %196, %197 : tensor<32x1xf32>
    %cst_35 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %199 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<32x1xf32>
    %200 = stablehlo.add %198, %199 : tensor<32x1xf32>
    %201 = stablehlo.rsqrt %200 : tensor<32x1xf32>
    %202 = stablehlo.broadcast_in_dim %201, dims = [0, 1] : (tensor<32x1xf32>) -> tensor<32x128xf32>
    %203 = stablehlo.multiply %193, %202 : tensor<32x128xf32>
    %204 = stablehlo.dot_general %203, %$prefix2.up, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x128xf32>, tensor<128x512xf32>) -> tensor<32x512xf32>
    %205 = stablehlo.slice %204 [0:32, 0:256] : (tensor<32x512xf32>) -> tensor<32x256xf32>
    %206 = stablehlo.slice %204 [0:32, 256:512] : (tensor<32x512xf32>) -> tensor<32x256xf32>
    %207 = call @prefill$silu(%205) : (tensor<32x256xf32>) -> tensor<32x256xf32>
    %208 = stablehlo.multiply %207, %206 : tensor<32x256xf32>
    %209 = stablehlo.dot_general %208, %$prefix2.down, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x256xf32>, tensor<256x128xf32>) -> tensor<32x128xf32>
    %210 = stablehlo.add %193, %209 : tensor<32x128xf32>
    %211 = stablehlo.multiply %210, %210 : tensor<32x128xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %212 = stablehlo.reduce(%211 init: %cst_36) applies stablehlo.add across dimensions = [1] : (tensor<32x128xf32>, tensor<f32>) -> tensor<32xf32>
    %213 = stablehlo.broadcast_in_dim %212, dims = [0] : (tensor<32xf32>) -> tensor<32x1xf32>
    %cst_37 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %214 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<32x1xf32>
    %215 = stablehlo.divide %213, %214 : tensor<32x1xf32>
    %cst_38 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %216 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<32x1xf32>
    %217 = stablehlo.add %215, %216 : tensor<32x1xf32>
    %218 = stablehlo.rsqrt %217 : tensor<32x1xf32>
    %219 = stablehlo.broadcast_in_dim %218, dims = [0, 1] : (tensor<32x1xf32>) -> tensor<32x128xf32>
    %220 = stablehlo.multiply %210, %219 : tensor<32x128xf32>
    %221 = stablehlo.dot_general %220, %$prefix3.kv, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x128xf32>, tensor<128x256xf32>) -> tensor<32x256xf32>
    %222 = stablehlo.slice %221 [0:32, 0:128] : (tensor<32x256xf32>) -> tensor<32x128xf32>
    %223 = stablehlo.slice %221 [0:32, 128:256] : (tensor<32x256xf32>) -> tensor<32x128xf32>
    %224 = stablehlo.reshape %222 : (tensor<32x128xf32>) -> tensor<32x4x32xf32>
    %225 = stablehlo.transpose %224, dims = [1, 0, 2] : (tensor<32x4x32xf32>) -> tensor<4x32x32xf32>
    %226 = stablehlo.reshape %223 : (tensor<32x128xf32>) -> tensor<32x4x32xf32>
    %227 = stablehlo.transpose %226, dims = [1, 0, 2] : (tensor<32x4x32xf32>) -> tensor<4x32x32xf32>
    %228 = stablehlo.broadcast_in_dim %225, dims = [1, 2, 3] : (tensor<4x32x32xf32>) -> tensor<1x4x32x32xf32>
    %229 = stablehlo.broadcast_in_dim %227, dims = [1, 2, 3] : (tensor<4x32x32xf32>) -> tensor<1x4x32x32xf32>
    %230 = stablehlo.concatenate %228, %229, dim = 0 : (tensor<1x4x32x32xf32>, tensor<1x4x32x32xf32>) -> tensor<2x4x32x32xf32>
    %231 = stablehlo.broadcast_in_dim %44, dims = [1, 2, 3, 4] : (tensor<2x4x32x32xf32>) -> tensor<1x2x4x32x32xf32>
    %232 = stablehlo.broadcast_in_dim %106, dims = [1, 2, 3, 4] : (tensor<2x4x32x32xf32>) -> tensor<1x2x4x32x32xf32>
    %233 = stablehlo.broadcast_in_dim %168, dims = [1, 2, 3, 4] : (tensor<2x4x32x32xf32>) -> tensor<1x2x4x32x32xf32>
    %234 = stablehlo.broadcast_in_dim %230, dims = [1, 2, 3, 4] : (tensor<2x4x32x32xf32>) -> tensor<1x2x4x32x32xf32>
    %235 = stablehlo.concatenate %231, %232, %233, %234, dim = 0 : (tensor<1x2x4x32x32xf32>, tensor<1x2x4x32x32xf32>, tensor<1x2x4x32x32xf32>, tensor<1x2x4x32x32xf32>) -> tensor<4x2x4x32x32xf32>
    return %235 : tensor<4x2x4x32x32xf32>
  }
  func.func private @prefill$silu(%arg0: tensor<32x256xf32>) -> tensor<32x256xf32> {
    %0 = stablehlo.negate %arg0 : tensor<32x256xf32>
    %1 = stablehlo.exponential %0 : tensor<32x256xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<32x256xf32>
    %3 = stablehlo.add %2, %1 : tensor<32x256xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<32x256xf32>
    %5 = stablehlo.divide %4, %3 : tensor<32x256xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<32x256xf32>
    return %6 : tensor<32x256xf32>
  }
  func.func public @step(%arg0: tensor<4x2x4x32x32xf32>, %arg1: tensor<8xf32>, %arg2: tensor<24x4xf32>, %arg3: tensor<f32>, %arg4: tensor<f32>, %arg5: tensor<24x4xf32> {iree.abi.output = 0 : index}, %arg6: tensor<f32> {iree.abi.output = 1 : index}, %arg7: !hal.buffer {iree.abi.transients}) -> (tensor<24x4xf32>, tensor<f32>) attributes {iree.reflection = {polyrhythm.inputs = "kv,proprio,x,t,dt", polyrhythm.outputs = "x,t"}} {
    %0:5 = util.optimization_barrier %arg0, %arg1, %arg2, %arg3, %arg4 : tensor<4x2x4x32x32xf32>, tensor<8xf32>, tensor<24x4xf32>, tensor<f32>, tensor<f32>
    %$action_bias = util.global.load @"$action_bias" : tensor<96xf32>
    %$action_in = util.global.load @"$action_in" : tensor<4x96xf32>
    %$action_mix = util.global.load @"$action_mix" : tensor<96x96xf32>
    %$action_out = util.global.load @"$action_out" : tensor<96x4xf32>
    %$clock = util.global.load @"$clock" : tensor<96x96xf32>
    %$expert0.down = util.global.load @"$expert0.down" : tensor<192x96xf32>
    %$expert0.out = util.global.load @"$expert0.out" : tensor<128x96xf32>
    %$expert0.qkv = util.global.load @"$expert0.qkv" : tensor<96x384xf32>
    %$expert0.up = util.global.load @"$expert0.up" : tensor<96x384xf32>
    %$expert1.down = util.global.load @"$expert1.down" : tensor<192x96xf32>
    %$expert1.out = util.global.load @"$expert1.out" : tensor<128x96xf32>
    %$expert1.qkv = util.global.load @"$expert1.qkv" : tensor<96x384xf32>
    %$expert1.up = util.global.load @"$expert1.up" : tensor<96x384xf32>
    %$expert2.down = util.global.load @"$expert2.down" : tensor<192x96xf32>
    %$expert2.out = util.global.load @"$expert2.out" : tensor<128x96xf32>
    %$expert2.qkv = util.global.load @"$expert2.qkv" : tensor<96x384xf32>
    %$expert2.up = util.global.load @"$expert2.up" : tensor<96x384xf32>
    %$expert3.down = util.global.load @"$expert3.down" : tensor<192x96xf32>
    %$expert3.out = util.global.load @"$expert3.out" : tensor<128x96xf32>
    %$expert3.qkv = util.global.load @"$expert3.qkv" : tensor<96x384xf32>
    %$expert3.up = util.global.load @"$expert3.up" : tensor<96x384xf32>
    %$motion_mean = util.global.load @"$motion_mean" : tensor<8xf32>
    %$motion_std = util.global.load @"$motion_std" : tensor<8xf32>
    %$state_in = util.global.load @"$state_in" : tensor<8x96xf32>
    %$suffix_position = util.global.load @"$suffix_position" : tensor<25x96xf32>
    %cst = stablehlo.constant dense<[1.000000e+00, 1.1029433, 1.21648395, 1.34171283, 1.47983325, 1.63217211, 1.80019331, 1.98551118, 2.18990636, 2.41534257, 2.66398597, 2.93822527, 3.24069595, 3.5743041, 3.94225478, 4.3480835, 4.79568958, 5.28937387, 5.83387947, 6.43443823, 7.09682083, 7.82739067, 8.63316822, 9.5218954, 10.5021105, 11.5832329, 12.7756491, 14.0908165, 15.5413723, 17.1412525, 18.9058304, 20.8520584, 22.9986382, 25.3661938, 27.9774742, 30.8575687, 34.0341492, 37.537735, 41.4019966, 45.6640549, 50.3648643, 55.5495872, 61.2680473, 67.57518, 74.5315933, 82.2041245, 90.6664886, 1.000000e+02]> : tensor<48xf32>
    %1 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<1xf32>) -> tensor<48xf32>
    %3 = stablehlo.multiply %2, %cst : tensor<48xf32>
    %4 = stablehlo.cosine %3 : tensor<48xf32>
    %5 = stablehlo.sine %3 : tensor<48xf32>
    %6 = stablehlo.concatenate %4, %5, dim = 0 : (tensor<48xf32>, tensor<48xf32>) -> tensor<96xf32>
    %7 = stablehlo.dot_general %6, %$clock, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<96xf32>, tensor<96x96xf32>) -> tensor<96xf32>
    %8 = stablehlo.dot_general %arg2, %$action_in, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24x4xf32>, tensor<4x96xf32>) -> tensor<24x96xf32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<24x96xf32>
    %11 = stablehlo.add %8, %10 : tensor<24x96xf32>
    %12 = stablehlo.broadcast_in_dim %$action_bias, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<24x96xf32>
    %14 = stablehlo.add %11, %13 : tensor<24x96xf32>
    %15 = call @step$silu(%14) : (tensor<24x96xf32>) -> tensor<24x96xf32>
    %16 = stablehlo.dot_general %15, %$action_mix, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24x96xf32>, tensor<96x96xf32>) -> tensor<24x96xf32>
    %17 = stablehlo.slice %arg1 [0:4] : (tensor<8xf32>) -> tensor<4xf32>
    %18 = stablehlo.slice %arg1 [4:8] : (tensor<8xf32>) -> tensor<4xf32>
    %19 = stablehlo.subtract %17, %18 : tensor<4xf32>
    %20 = stablehlo.concatenate %17, %19, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
    %21 = stablehlo.subtract %20, %$motion_mean : tensor<8xf32>
    %22 = stablehlo.divide %21, %$motion_std : tensor<8xf32>
    %23 = stablehlo.dot_general %22, %$state_in, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8xf32>, tensor<8x96xf32>) -> tensor<96xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %25 = stablehlo.concatenate %24, %16, dim = 0 : (tensor<1x96xf32>, tensor<24x96xf32>) -> tensor<25x96xf32>
    %26 = stablehlo.add %25, %$suffix_position : tensor<25x96xf32>
    %27 = stablehlo.multiply %26, %26 : tensor<25x96xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.reduce(%27 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_1 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %31 = stablehlo.divide %29, %30 : tensor<25x1xf32>
    %cst_2 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %33 = stablehlo.add %31, %32 : tensor<25x1xf32>
    %34 = stablehlo.rsqrt %33 : tensor<25x1xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %36 = stablehlo.multiply %26, %35 : tensor<25x96xf32>
    %37 = stablehlo.dot_general %36, %$expert0.qkv, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x384xf32>) -> tensor<25x384xf32>
    %38 = stablehlo.slice %37 [0:25, 0:128] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %39 = stablehlo.slice %37 [0:25, 128:256] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %40 = stablehlo.slice %37 [0:25, 256:384] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %41 = stablehlo.reshape %38 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %42 = stablehlo.transpose %41, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %43 = stablehlo.reshape %39 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %44 = stablehlo.transpose %43, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %45 = stablehlo.reshape %40 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %46 = stablehlo.transpose %45, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %47 = stablehlo.slice %arg0 [0:1, 0:1, 0:4, 0:32, 0:32] : (tensor<4x2x4x32x32xf32>) -> tensor<1x1x4x32x32xf32>
    %48 = stablehlo.reshape %47 : (tensor<1x1x4x32x32xf32>) -> tensor<4x32x32xf32>
    %49 = stablehlo.slice %arg0 [0:1, 1:2, 0:4, 0:32, 0:32] : (tensor<4x2x4x32x32xf32>) -> tensor<1x1x4x32x32xf32>
    %50 = stablehlo.reshape %49 : (tensor<1x1x4x32x32xf32>) -> tensor<4x32x32xf32>
    %51 = stablehlo.dot_general %42, %48, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %52 = stablehlo.dot_general %42, %44, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x25x32xf32>) -> tensor<4x25x25xf32>
    %53 = stablehlo.concatenate %51, %52, dim = 2 : (tensor<4x25x32xf32>, tensor<4x25x25xf32>) -> tensor<4x25x57xf32>
    %cst_3 = stablehlo.constant dense<0.176776692> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x25x57xf32>
    %55 = stablehlo.multiply %53, %54 : tensor<4x25x57xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %56 = stablehlo.reduce(%55 init: %cst_4) applies stablehlo.maximum across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %58 = stablehlo.maximum %57, %56 : tensor<4x25xf32>
    %59 = stablehlo.broadcast_in_dim %58, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %60 = stablehlo.broadcast_in_dim %59, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %61 = stablehlo.subtract %55, %60 : tensor<4x25x57xf32>
    %62 = stablehlo.exponential %61 : tensor<4x25x57xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %63 = stablehlo.reduce(%62 init: %cst_6) applies stablehlo.add across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %64 = stablehlo.broadcast_in_dim %63, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %65 = stablehlo.broadcast_in_dim %64, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %66 = stablehlo.divide %62, %65 : tensor<4x25x57xf32>
    %67 = stablehlo.slice %66 [0:4, 0:25, 0:32] : (tensor<4x25x57xf32>) -> tensor<4x25x32xf32>
    %68 = stablehlo.slice %66 [0:4, 0:25, 32:57] : (tensor<4x25x57xf32>) -> tensor<4x25x25xf32>
    %69 = stablehlo.dot_general %67, %50, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x25x32xf32>
    %71 = stablehlo.add %70, %69 : tensor<4x25x32xf32>
    %72 = stablehlo.dot_general %68, %46, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x25xf32>, tensor<4x25x32xf32>) -> tensor<4x25x32xf32>
    %73 = stablehlo.add %71, %72 : tensor<4x25x32xf32>
    %74 = stablehlo.transpose %73, dims = [1, 0, 2] : (tensor<4x25x32xf32>) -> tensor<25x4x32xf32>
    %75 = stablehlo.reshape %74 : (tensor<25x4x32xf32>) -> tensor<25x128xf32>
    %76 = stablehlo.dot_general %75, %$expert0.out, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x128xf32>, tensor<128x96xf32>) -> tensor<25x96xf32>
    %77 = stablehlo.add %26, %76 : tensor<25x96xf32>
    %78 = stablehlo.multiply %77, %77 : tensor<25x96xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %79 = stablehlo.reduce(%78 init: %cst_8) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %80 = stablehlo.broadcast_in_dim %79, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_9 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %81 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %82 = stablehlo.divide %80, %81 : tensor<25x1xf32>
    %cst_10 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %84 = stablehlo.add %82, %83 : tensor<25x1xf32>
    %85 = stablehlo.rsqrt %84 : tensor<25x1xf32>
    %86 = stablehlo.broadcast_in_dim %85, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %87 = stablehlo.multiply %77, %86 : tensor<25x96xf32>
    %88 = stablehlo.dot_general %87, %$expert0.up, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x384xf32>) -> tensor<25x384xf32>
    %89 = stablehlo.slice %88 [0:25, 0:192] : (tensor<25x384xf32>) -> tensor<25x192xf32>
    %90 = stablehlo.slice %88 [0:25, 192:384] : (tensor<25x384xf32>) -> tensor<25x192xf32>
    %91 = call @step$silu_0(%89) : (tensor<25x192xf32>) -> tensor<25x192xf32>
    %92 = stablehlo.multiply %91, %90 : tensor<25x192xf32>
    %93 = stablehlo.dot_general %92, %$expert0.down, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x192xf32>, tensor<192x96xf32>) -> tensor<25x96xf32>
    %94 = stablehlo.add %77, %93 : tensor<25x96xf32>
    %95 = stablehlo.multiply %94, %94 : tensor<25x96xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %96 = stablehlo.reduce(%95 init: %cst_11) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %97 = stablehlo.broadcast_in_dim %96, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_12 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %98 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %99 = stablehlo.divide %97, %98 : tensor<25x1xf32>
    %cst_13 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %101 = stablehlo.add %99, %100 : tensor<25x1xf32>
    %102 = stablehlo.rsqrt %101 : tensor<25x1xf32>
    %103 = stablehlo.broadcast_in_dim %102, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %104 = stablehlo.multiply %94, %103 : tensor<25x96xf32>
    %105 = stablehlo.dot_general %104, %$expert1.qkv, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x384xf32>) -> tensor<25x384xf32>
    %106 = stablehlo.slice %105 [0:25, 0:128] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %107 = stablehlo.slice %105 [0:25, 128:256] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %108 = stablehlo.slice %105 [0:25, 256:384] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %109 = stablehlo.reshape %106 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %110 = stablehlo.transpose %109, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %111 = stablehlo.reshape %107 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %112 = stablehlo.transpose %111, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %113 = stablehlo.reshape %108 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %114 = stablehlo.transpose %113, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %115 = stablehlo.slice %arg0 [1:2, 0:1, 0:4, 0:32, 0:32] : (tensor<4x2x4x32x32xf32>) -> tensor<1x1x4x32x32xf32>
    %116 = stablehlo.reshape %115 : (tensor<1x1x4x32x32xf32>) -> tensor<4x32x32xf32>
    %117 = stablehlo.slice %arg0 [1:2, 1:2, 0:4, 0:32, 0:32] : (tensor<4x2x4x32x32xf32>) -> tensor<1x1x4x32x32xf32>
    %118 = stablehlo.reshape %117 : (tensor<1x1x4x32x32xf32>) -> tensor<4x32x32xf32>
    %119 = stablehlo.dot_general %110, %116, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %120 = stablehlo.dot_general %110, %112, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x25x32xf32>) -> tensor<4x25x25xf32>
    %121 = stablehlo.concatenate %119, %120, dim = 2 : (tensor<4x25x32xf32>, tensor<4x25x25xf32>) -> tensor<4x25x57xf32>
    %cst_14 = stablehlo.constant dense<0.176776692> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x25x57xf32>
    %123 = stablehlo.multiply %121, %122 : tensor<4x25x57xf32>
    %cst_15 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %124 = stablehlo.reduce(%123 init: %cst_15) applies stablehlo.maximum across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %cst_16 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %125 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %126 = stablehlo.maximum %125, %124 : tensor<4x25xf32>
    %127 = stablehlo.broadcast_in_dim %126, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %128 = stablehlo.broadcast_in_dim %127, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %129 = stablehlo.subtract %123, %128 : tensor<4x25x57xf32>
    %130 = stablehlo.exponential %129 : tensor<4x25x57xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %131 = stablehlo.reduce(%130 init: %cst_17) applies stablehlo.add across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %132 = stablehlo.broadcast_in_dim %131, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %133 = stablehlo.broadcast_in_dim %132, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %134 = stablehlo.divide %130, %133 : tensor<4x25x57xf32>
    %135 = stablehlo.slice %134 [0:4, 0:25, 0:32] : (tensor<4x25x57xf32>) -> tensor<4x25x32xf32>
    %136 = stablehlo.slice %134 [0:4, 0:25, 32:57] : (tensor<4x25x57xf32>) -> tensor<4x25x25xf32>
    %137 = stablehlo.dot_general %135, %118, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %138 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x25x32xf32>
    %139 = stablehlo.add %138, %137 : tensor<4x25x32xf32>
    %140 = stablehlo.dot_general %136, %114, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x25xf32>, tensor<4x25x32xf32>) -> tensor<4x25x32xf32>
    %141 = stablehlo.add %139, %140 : tensor<4x25x32xf32>
    %142 = stablehlo.transpose %141, dims = [1, 0, 2] : (tensor<4x25x32xf32>) -> tensor<25x4x32xf32>
    %143 = stablehlo.reshape %142 : (tensor<25x4x32xf32>) -> tensor<25x128xf32>
    %144 = stablehlo.dot_general %143, %$expert1.out, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x128xf32>, tensor<128x96xf32>) -> tensor<25x96xf32>
    %145 = stablehlo.add %94, %144 : tensor<25x96xf32>
    %146 = stablehlo.multiply %145, %145 : tensor<25x96xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %147 = stablehlo.reduce(%146 init: %cst_19) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %148 = stablehlo.broadcast_in_dim %147, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_20 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %149 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %150 = stablehlo.divide %148, %149 : tensor<25x1xf32>
    %cst_21 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %151 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %152 = stablehlo.add %150, %151 : tensor<25x1xf32>
    %153 = stablehlo.rsqrt %152 : tensor<25x1xf32>
    %154 = stablehlo.broadcast_in_dim %153, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %155 = stablehlo.multiply %145, %154 : tensor<25x96xf32>
    %156 = stablehlo.dot_general %155, %$expert1.up, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x384xf32>) -> tensor<25x384xf32>
    %157 = stablehlo.slice %156 [0:25, 0:192] : (tensor<25x384xf32>) -> tensor<25x192xf32>
    %158 = stablehlo.slice %156 [0:25, 192:384] : (tensor<25x384xf32>) -> tensor<25x192xf32>
    %159 = call @step$silu_0(%157) : (tensor<25x192xf32>) -> tensor<25x192xf32>
    %160 = stablehlo.multiply %159, %158 : tensor<25x192xf32>
    %161 = stablehlo.dot_general %160, %$expert1.down, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x192xf32>, tensor<192x96xf32>) -> tensor<25x96xf32>
    %162 = stablehlo.add %145, %161 : tensor<25x96xf32>
    %163 = stablehlo.multiply %162, %162 : tensor<25x96xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %164 = stablehlo.reduce(%163 init: %cst_22) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %165 = stablehlo.broadcast_in_dim %164, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_23 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %166 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %167 = stablehlo.divide %165, %166 : tensor<25x1xf32>
    %cst_24 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %168 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %169 = stablehlo.add %167, %168 : tensor<25x1xf32>
    %170 = stablehlo.rsqrt %169 : tensor<25x1xf32>
    %171 = stablehlo.broadcast_in_dim %170, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %172 = stablehlo.multiply %162, %171 : tensor<25x96xf32>
    %173 = stablehlo.dot_general %172, %$expert2.qkv, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x384xf32>) -> tensor<25x384xf32>
    %174 = stablehlo.slice %173 [0:25, 0:128] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %175 = stablehlo.slice %173 [0:25, 128:256] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %176 = stablehlo.slice %173 [0:25, 256:384] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %177 = stablehlo.reshape %174 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %178 = stablehlo.transpose %177, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %179 = stablehlo.reshape %175 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %180 = stablehlo.transpose %179, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %181 = stablehlo.reshape %176 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %182 = stablehlo.transpose %181, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %183 = stablehlo.slice %arg0 [2:3, 0:1, 0:4, 0:32, 0:32] : (tensor<4x2x4x32x32xf32>) -> tensor<1x1x4x32x32xf32>
    %184 = stablehlo.reshape %183 : (tensor<1x1x4x32x32xf32>) -> tensor<4x32x32xf32>
    %185 = stablehlo.slice %arg0 [2:3, 1:2, 0:4, 0:32, 0:32] : (tensor<4x2x4x32x32xf32>) -> tensor<1x1x4x32x32xf32>
    %186 = stablehlo.reshape %185 : (tensor<1x1x4x32x32xf32>) -> tensor<4x32x32xf32>
    %187 = stablehlo.dot_general %178, %184, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %188 = stablehlo.dot_general %178, %180, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x25x32xf32>) -> tensor<4x25x25xf32>
    %189 = stablehlo.concatenate %187, %188, dim = 2 : (tensor<4x25x32xf32>, tensor<4x25x25xf32>) -> tensor<4x25x57xf32>
    %cst_25 = stablehlo.constant dense<0.176776692> : tensor<f32>
    %190 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<4x25x57xf32>
    %191 = stablehlo.multiply %189, %190 : tensor<4x25x57xf32>
    %cst_26 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %192 = stablehlo.reduce(%191 init: %cst_26) applies stablehlo.maximum across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %cst_27 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %193 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %194 = stablehlo.maximum %193, %192 : tensor<4x25xf32>
    %195 = stablehlo.broadcast_in_dim %194, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %196 = stablehlo.broadcast_in_dim %195, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %197 = stablehlo.subtract %191, %196 : tensor<4x25x57xf32>
    %198 = stablehlo.exponential %197 : tensor<4x25x57xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %199 = stablehlo.reduce(%198 init: %cst_28) applies stablehlo.add across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %200 = stablehlo.broadcast_in_dim %199, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %201 = stablehlo.broadcast_in_dim %200, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %202 = stablehlo.divide %198, %201 : tensor<4x25x57xf32>
    %203 = stablehlo.slice %202 [0:4, 0:25, 0:32] : (tensor<4x25x57xf32>) -> tensor<4x25x32xf32>
    %204 = stablehlo.slice %202 [0:4, 0:25, 32:57] : (tensor<4x25x57xf32>) -> tensor<4x25x25xf32>
    %205 = stablehlo.dot_general %203, %186, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %206 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<4x25x32xf32>
    %207 = stablehlo.add %206, %205 : tensor<4x25x32xf32>
    %208 = stablehlo.dot_general %204, %182, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x25xf32>, tensor<4x25x32xf32>) -> tensor<4x25x32xf32>
    %209 = stablehlo.add %207, %208 : tensor<4x25x32xf32>
    %210 = stablehlo.transpose %209, dims = [1, 0, 2] : (tensor<4x25x32xf32>) -> tensor<25x4x32xf32>
    %211 = stablehlo.reshape %210 : (tensor<25x4x32xf32>) -> tensor<25x128xf32>
    %212 = stablehlo.dot_general %211, %$expert2.out, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x128xf32>, tensor<128x96xf32>) -> tensor<25x96xf32>
    %213 = stablehlo.add %162, %212 : tensor<25x96xf32>
    %214 = stablehlo.multiply %213, %213 : tensor<25x96xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %215 = stablehlo.reduce(%214 init: %cst_30) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %216 = stablehlo.broadcast_in_dim %215, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_31 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %217 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %218 = stablehlo.divide %216, %217 : tensor<25x1xf32>
    %cst_32 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %219 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %220 = stablehlo.add %218, %219 : tensor<25x1xf32>
    %221 = stablehlo.rsqrt %220 : tensor<25x1xf32>
    %222 = stablehlo.broadcast_in_dim %221, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %223 = stablehlo.multiply %213, %222 : tensor<25x96xf32>
    %224 = stablehlo.dot_general %223, %$expert2.up, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x384xf32>) -> tensor<25x384xf32>
    %225 = stablehlo.slice %224 [0:25, 0:192] : (tensor<25x384xf32>) -> tensor<25x192xf32>
    %226 = stablehlo.slice %224 [0:25, 192:384] : (tensor<25x384xf32>) -> tensor<25x192xf32>
    %227 = call @step$silu_0(%225) : (tensor<25x192xf32>) -> tensor<25x192xf32>
    %228 = stablehlo.multiply %227, %226 : tensor<25x192xf32>
    %229 = stablehlo.dot_general %228, %$expert2.down, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x192xf32>, tensor<192x96xf32>) -> tensor<25x96xf32>
    %230 = stablehlo.add %213, %229 : tensor<25x96xf32>
    %231 = stablehlo.multiply %230, %230 : tensor<25x96xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %232 = stablehlo.reduce(%231 init: %cst_33) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %233 = stablehlo.broadcast_in_dim %232, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_34 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %234 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %235 = stablehlo.divide %233, %234 : tensor<25x1xf32>
    %cst_35 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %236 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %237 = stablehlo.add %235, %236 : tensor<25x1xf32>
    %238 = stablehlo.rsqrt %237 : tensor<25x1xf32>
    %239 = stablehlo.broadcast_in_dim %238, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %240 = stablehlo.multiply %230, %239 : tensor<25x96xf32>
    %241 = stablehlo.dot_general %240, %$expert3.qkv, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x384xf32>) -> tensor<25x384xf32>
    %242 = stablehlo.slice %241 [0:25, 0:128] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %243 = stablehlo.slice %241 [0:25, 128:256] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %244 = stablehlo.slice %241 [0:25, 256:384] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %245 = stablehlo.reshape %242 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %246 = stablehlo.transpose %245, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %247 = stablehlo.reshape %243 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %248 = stablehlo.transpose %247, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %249 = stablehlo.reshape %244 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %250 = stablehlo.transpose %249, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %251 = stablehlo.slice %arg0 [3:4, 0:1, 0:4, 0:32, 0:32] : (tensor<4x2x4x32x32xf32>) -> tensor<1x1x4x32x32xf32>
    %252 = stablehlo.reshape %251 : (tensor<1x1x4x32x32xf32>) -> tensor<4x32x32xf32>
    %253 = stablehlo.slice %arg0 [3:4, 1:2, 0:4, 0:32, 0:32] : (tensor<4x2x4x32x32xf32>) -> tensor<1x1x4x32x32xf32>
    %254 = stablehlo.reshape %253 : (tensor<1x1x4x32x32xf32>) -> tensor<4x32x32xf32>
    %255 = stablehlo.dot_general %246, %252, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %256 = stablehlo.dot_general %246, %248, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x25x32xf32>) -> tensor<4x25x25xf32>
    %257 = stablehlo.concatenate %255, %256, dim = 2 : (tensor<4x25x32xf32>, tensor<4x25x25xf32>) -> tensor<4x25x57xf32>
    %cst_36 = stablehlo.constant dense<0.176776692> : tensor<f32>
    %258 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<4x25x57xf32>
    %259 = stablehlo.multiply %257, %258 : tensor<4x25x57xf32>
    %cst_37 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %260 = stablehlo.reduce(%259 init: %cst_37) applies stablehlo.maximum across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %cst_38 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %261 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %262 = stablehlo.maximum %261, %260 : tensor<4x25xf32>
    %263 = stablehlo.broadcast_in_dim %262, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %264 = stablehlo.broadcast_in_dim %263, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %265 = stablehlo.subtract %259, %264 : tensor<4x25x57xf32>
    %266 = stablehlo.exponential %265 : tensor<4x25x57xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %267 = stablehlo.reduce(%266 init: %cst_39) applies stablehlo.add across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %268 = stablehlo.broadcast_in_dim %267, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %269 = stablehlo.broadcast_in_dim %268, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %270 = stablehlo.divide %266, %269 : tensor<4x25x57xf32>
    %271 = stablehlo.slice %270 [0:4, 0:25, 0:32] : (tensor<4x25x57xf32>) -> tensor<4x25x32xf32>
    %272 = stablehlo.slice %270 [0:4, 0:25, 32:57] : (tensor<4x25x57xf32>) -> tensor<4x25x25xf32>
    %273 = stablehlo.dot_general %271, %254, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %274 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<4x25x32xf32>
    %275 = stablehlo.add %274, %273 : tensor<4x25x32xf32>
    %276 = stablehlo.dot_general %272, %250, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x25xf32>, tensor<4x25x32xf32>) -> tensor<4x25x32xf32>
    %277 = stablehlo.add %275, %276 : tensor<4x25x32xf32>
    %278 = stablehlo.transpose %277, dims = [1, 0, 2] : (tensor<4x25x32xf32>) -> tensor<25x4x32xf32>
    %279 = stablehlo.reshape %278 : (tensor<25x4x32xf32>) -> tensor<25x128xf32>
    %280 = stablehlo.dot_general %279, %$expert3.out, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x128xf32>, tensor<128x96xf32>) -> tensor<25x96xf32>
    %281 = stablehlo.add %230, %280 : tensor<25x96xf32>
    %282 = stablehlo.multiply %281, %281 : tensor<25x96xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %283 = stablehlo.reduce(%282 init: %cst_41) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %284 = stablehlo.broadcast_in_dim %283, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_42 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %285 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %286 = stablehlo.divide %284, %285 : tensor<25x1xf32>
    %cst_43 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %287 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %288 = stablehlo.add %286, %287 : tensor<25x1xf32>
    %289 = stablehlo.rsqrt %288 : tensor<25x1xf32>
    %290 = stablehlo.broadcast_in_dim %289, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %291 = stablehlo.multiply %281, %290 : tensor<25x96xf32>
    %292 = stablehlo.dot_general %291, %$expert3.up, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x384xf32>) -> tensor<25x384xf32>
    %293 = stablehlo.slice %292 [0:25, 0:192] : (tensor<25x384xf32>) -> tensor<25x192xf32>
    %294 = stablehlo.slice %292 [0:25, 192:384] : (tensor<25x384xf32>) -> tensor<25x192xf32>
    %295 = call @step$silu_0(%293) : (tensor<25x192xf32>) -> tensor<25x192xf32>
    %296 = stablehlo.multiply %295, %294 : tensor<25x192xf32>
    %297 = stablehlo.dot_general %296, %$expert3.down, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x192xf32>, tensor<192x96xf32>) -> tensor<25x96xf32>
    %298 = stablehlo.add %281, %297 : tensor<25x96xf32>
    %299 = stablehlo.slice %298 [1:25, 0:96] : (tensor<25x96xf32>) -> tensor<24x96xf32>
    %300 = stablehlo.multiply %299, %299 : tensor<24x96xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %301 = stablehlo.reduce(%300 init: %cst_44) applies stablehlo.add across dimensions = [1] : (tensor<24x96xf32>, tensor<f32>) -> tensor<24xf32>
    %302 = stablehlo.broadcast_in_dim %301, dims = [0] : (tensor<24xf32>) -> tensor<24x1xf32>
    %cst_45 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %303 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<24x1xf32>
    %304 = stablehlo.divide %302, %303 : tensor<24x1xf32>
    %cst_46 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %305 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<24x1xf32>
    %306 = stablehlo.add %304, %305 : tensor<24x1xf32>
    %307 = stablehlo.rsqrt %306 : tensor<24x1xf32>
    %308 = stablehlo.broadcast_in_dim %307, dims = [0, 1] : (tensor<24x1xf32>) -> tensor<24x96xf32>
    %309 = stablehlo.multiply %299, %308 : tensor<24x96xf32>
    %310 = stablehlo.dot_general %309, %$action_out, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24x96xf32>, tensor<96x4xf32>) -> tensor<24x4xf32>
    %311 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<f32>) -> tensor<24x4xf32>
    %312 = stablehlo.multiply %311, %310 : tensor<24x4xf32>
    %313 = stablehlo.add %arg2, %312 : tensor<24x4xf32>
    %314 = stablehlo.add %arg3, %arg4 : tensor<f32>
    return %313, %314 : tensor<24x4xf32>, tensor<f32>
  }
  func.func private @step$silu(%arg0: tensor<24x96xf32>) -> tensor<24x96xf32> {
    %0 = stablehlo.negate %arg0 : tensor<24x96xf32>
    %1 = stablehlo.exponential %0 : tensor<24x96xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<24x96xf32>
    %3 = stablehlo.add %2, %1 : tensor<24x96xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<24x96xf32>
    %5 = stablehlo.divide %4, %3 : tensor<24x96xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<24x96xf32>
    return %6 : tensor<24x96xf32>
  }
  func.func private @step$silu_0(%arg0: tensor<25x192xf32>) -> tensor<25x192xf32> {
    %0 = stablehlo.negate %arg0 : tensor<25x192xf32>
    %1 = stablehlo.exponential %0 : tensor<25x192xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<25x192xf32>
    %3 = stablehlo.add %2, %1 : tensor<25x192xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<25x192xf32>
    %5 = stablehlo.divide %4, %3 : tensor<25x192xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<25x192xf32>
    return %6 : tensor<25x192xf32>
  }
  func.func public @finish(%arg0: tensor<24x4xf32>, %arg1: tensor<24x4xf32> {iree.abi.output = 0 : index}, %arg2: !hal.buffer {iree.abi.transients}) -> tensor<24x4xf32> attributes {iree.reflection = {polyrhythm.inputs = "x", polyrhythm.outputs = "actions"}} {
    %0 = util.optimization_barrier %arg0 : tensor<24x4xf32>
    %$action_mean = util.global.load @"$action_mean" : tensor<4xf32>
    %$action_std = util.global.load @"$action_std" : tensor<4xf32>
    %1 = stablehlo.broadcast_in_dim %$action_std, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<24x4xf32>
    %3 = stablehlo.multiply %arg0, %2 : tensor<24x4xf32>
    %4 = stablehlo.broadcast_in_dim %$action_mean, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<24x4xf32>
    %6 = stablehlo.add %3, %5 : tensor<24x4xf32>
    %cst = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %7 = call @finish$clip(%6, %cst, %cst_0) : (tensor<24x4xf32>, tensor<f32>, tensor<f32>) -> tensor<24x4xf32>
    return %7 : tensor<24x4xf32>
  }
  func.func private @finish$clip(%arg0: tensor<24x4xf32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<24x4xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<24x4xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<24x4xf32>
    %3 = stablehlo.convert %arg2 : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<24x4xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<24x4xf32>
    return %5 : tensor<24x4xf32>
  }
  func.func public @step_identity(%arg0: tensor<4x2x4x32x32xf32>, %arg1: tensor<8xf32>, %arg2: tensor<24x4xf32>, %arg3: tensor<f32>, %arg4: tensor<f32>, %arg5: tensor<24x4xf32>, %arg6: tensor<24xf32>, %arg7: tensor<f32>, %arg8: tensor<24x4xf32> {iree.abi.output = 0 : index}, %arg9: tensor<f32> {iree.abi.output = 1 : index}, %arg10: !hal.buffer {iree.abi.transients}) -> (tensor<24x4xf32>, tensor<f32>) attributes {iree.reflection = {polyrhythm.inputs = "kv,proprio,x,t,dt,target,weights,beta", polyrhythm.outputs = "x,t"}} {
    %0:8 = util.optimization_barrier %arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7 : tensor<4x2x4x32x32xf32>, tensor<8xf32>, tensor<24x4xf32>, tensor<f32>, tensor<f32>, tensor<24x4xf32>, tensor<24xf32>, tensor<f32>
    %$action_bias = util.global.load @"$action_bias" : tensor<96xf32>
    %$action_in = util.global.load @"$action_in" : tensor<4x96xf32>
    %$action_mix = util.global.load @"$action_mix" : tensor<96x96xf32>
    %$action_out = util.global.load @"$action_out" : tensor<96x4xf32>
    %$clock = util.global.load @"$clock" : tensor<96x96xf32>
    %$expert0.down = util.global.load @"$expert0.down" : tensor<192x96xf32>
    %$expert0.out = util.global.load @"$expert0.out" : tensor<128x96xf32>
    %$expert0.qkv = util.global.load @"$expert0.qkv" : tensor<96x384xf32>
    %$expert0.up = util.global.load @"$expert0.up" : tensor<96x384xf32>
    %$expert1.down = util.global.load @"$expert1.down" : tensor<192x96xf32>
    %$expert1.out = util.global.load @"$expert1.out" : tensor<128x96xf32>
    %$expert1.qkv = util.global.load @"$expert1.qkv" : tensor<96x384xf32>
    %$expert1.up = util.global.load @"$expert1.up" : tensor<96x384xf32>
    %$expert2.down = util.global.load @"$expert2.down" : tensor<192x96xf32>
    %$expert2.out = util.global.load @"$expert2.out" : tensor<128x96xf32>
    %$expert2.qkv = util.global.load @"$expert2.qkv" : tensor<96x384xf32>
    %$expert2.up = util.global.load @"$expert2.up" : tensor<96x384xf32>
    %$expert3.down = util.global.load @"$expert3.down" : tensor<192x96xf32>
    %$expert3.out = util.global.load @"$expert3.out" : tensor<128x96xf32>
    %$expert3.qkv = util.global.load @"$expert3.qkv" : tensor<96x384xf32>
    %$expert3.up = util.global.load @"$expert3.up" : tensor<96x384xf32>
    %$motion_mean = util.global.load @"$motion_mean" : tensor<8xf32>
    %$motion_std = util.global.load @"$motion_std" : tensor<8xf32>
    %$state_in = util.global.load @"$state_in" : tensor<8x96xf32>
    %$suffix_position = util.global.load @"$suffix_position" : tensor<25x96xf32>
    %cst = stablehlo.constant dense<[1.000000e+00, 1.1029433, 1.21648395, 1.34171283, 1.47983325, 1.63217211, 1.80019331, 1.98551118, 2.18990636, 2.41534257, 2.66398597, 2.93822527, 3.24069595, 3.5743041, 3.94225478, 4.3480835, 4.79568958, 5.28937387, 5.83387947, 6.43443823, 7.09682083, 7.82739067, 8.63316822, 9.5218954, 10.5021105, 11.5832329, 12.7756491, 14.0908165, 15.5413723, 17.1412525, 18.9058304, 20.8520584, 22.9986382, 25.3661938, 27.9774742, 30.8575687, 34.0341492, 37.537735, 41.4019966, 45.6640549, 50.3648643, 55.5495872, 61.2680473, 67.57518, 74.5315933, 82.2041245, 90.6664886, 1.000000e+02]> : tensor<48xf32>
    %1 = stablehlo.broadcast_in_dim %arg6, dims = [0] : (tensor<24xf32>) -> tensor<24x1xf32>
    %2 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<1xf32>) -> tensor<48xf32>
    %4 = stablehlo.multiply %3, %cst : tensor<48xf32>
    %5 = stablehlo.cosine %4 : tensor<48xf32>
    %6 = stablehlo.sine %4 : tensor<48xf32>
    %7 = stablehlo.concatenate %5, %6, dim = 0 : (tensor<48xf32>, tensor<48xf32>) -> tensor<96xf32>
    %8 = stablehlo.dot_general %7, %$clock, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<96xf32>, tensor<96x96xf32>) -> tensor<96xf32>
    %9 = stablehlo.dot_general %arg2, %$action_in, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24x4xf32>, tensor<4x96xf32>) -> tensor<24x96xf32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<24x96xf32>
    %12 = stablehlo.add %9, %11 : tensor<24x96xf32>
    %13 = stablehlo.broadcast_in_dim %$action_bias, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<24x96xf32>
    %15 = stablehlo.add %12, %14 : tensor<24x96xf32>
    %16 = call @step_identity$silu(%15) : (tensor<24x96xf32>) -> tensor<24x96xf32>
    %17 = stablehlo.dot_general %16, %$action_mix, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24x96xf32>, tensor<96x96xf32>) -> tensor<24x96xf32>
    %18 = stablehlo.slice %arg1 [0:4] : (tensor<8xf32>) -> tensor<4xf32>
    %19 = stablehlo.slice %arg1 [4:8] : (tensor<8xf32>) -> tensor<4xf32>
    %20 = stablehlo.subtract %18, %19 : tensor<4xf32>
    %21 = stablehlo.concatenate %18, %20, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
    %22 = stablehlo.subtract %21, %$motion_mean : tensor<8xf32>
    %23 = stablehlo.divide %22, %$motion_std : tensor<8xf32>
    %24 = stablehlo.dot_general %23, %$state_in, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8xf32>, tensor<8x96xf32>) -> tensor<96xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %26 = stablehlo.concatenate %25, %17, dim = 0 : (tensor<1x96xf32>, tensor<24x96xf32>) -> tensor<25x96xf32>
    %27 = stablehlo.add %26, %$suffix_position : tensor<25x96xf32>
    %28 = stablehlo.multiply %27, %27 : tensor<25x96xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.reduce(%28 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_1 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %32 = stablehlo.divide %30, %31 : tensor<25x1xf32>
    %cst_2 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %34 = stablehlo.add %32, %33 : tensor<25x1xf32>
    %35 = stablehlo.rsqrt %34 : tensor<25x1xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %37 = stablehlo.multiply %27, %36 : tensor<25x96xf32>
    %38 = stablehlo.dot_general %37, %$expert0.qkv, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x384xf32>) -> tensor<25x384xf32>
    %39 = stablehlo.slice %38 [0:25, 0:128] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %40 = stablehlo.slice %38 [0:25, 128:256] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %41 = stablehlo.slice %38 [0:25, 256:384] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %42 = stablehlo.reshape %39 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %43 = stablehlo.transpose %42, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %44 = stablehlo.reshape %40 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %45 = stablehlo.transpose %44, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %46 = stablehlo.reshape %41 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %47 = stablehlo.transpose %46, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %48 = stablehlo.slice %arg0 [0:1, 0:1, 0:4, 0:32, 0:32] : (tensor<4x2x4x32x32xf32>) -> tensor<1x1x4x32x32xf32>
    %49 = stablehlo.reshape %48 : (tensor<1x1x4x32x32xf32>) -> tensor<4x32x32xf32>
    %50 = stablehlo.slice %arg0 [0:1, 1:2, 0:4, 0:32, 0:32] : (tensor<4x2x4x32x32xf32>) -> tensor<1x1x4x32x32xf32>
    %51 = stablehlo.reshape %50 : (tensor<1x1x4x32x32xf32>) -> tensor<4x32x32xf32>
    %52 = stablehlo.dot_general %43, %49, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %53 = stablehlo.dot_general %43, %45, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x25x32xf32>) -> tensor<4x25x25xf32>
    %54 = stablehlo.concatenate %52, %53, dim = 2 : (tensor<4x25x32xf32>, tensor<4x25x25xf32>) -> tensor<4x25x57xf32>
    %cst_3 = stablehlo.constant dense<0.176776692> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x25x57xf32>
    %56 = stablehlo.multiply %54, %55 : tensor<4x25x57xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %57 = stablehlo.reduce(%56 init: %cst_4) applies stablehlo.maximum across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %59 = stablehlo.maximum %58, %57 : tensor<4x25xf32>
    %60 = stablehlo.broadcast_in_dim %59, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %62 = stablehlo.subtract %56, %61 : tensor<4x25x57xf32>
    %63 = stablehlo.exponential %62 : tensor<4x25x57xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %64 = stablehlo.reduce(%63 init: %cst_6) applies stablehlo.add across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %65 = stablehlo.broadcast_in_dim %64, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %67 = stablehlo.divide %63, %66 : tensor<4x25x57xf32>
    %68 = stablehlo.slice %67 [0:4, 0:25, 0:32] : (tensor<4x25x57xf32>) -> tensor<4x25x32xf32>
    %69 = stablehlo.slice %67 [0:4, 0:25, 32:57] : (tensor<4x25x57xf32>) -> tensor<4x25x25xf32>
    %70 = stablehlo.dot_general %68, %51, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x25x32xf32>
    %72 = stablehlo.add %71, %70 : tensor<4x25x32xf32>
    %73 = stablehlo.dot_general %69, %47, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x25xf32>, tensor<4x25x32xf32>) -> tensor<4x25x32xf32>
    %74 = stablehlo.add %72, %73 : tensor<4x25x32xf32>
    %75 = stablehlo.transpose %74, dims = [1, 0, 2] : (tensor<4x25x32xf32>) -> tensor<25x4x32xf32>
    %76 = stablehlo.reshape %75 : (tensor<25x4x32xf32>) -> tensor<25x128xf32>
    %77 = stablehlo.dot_general %76, %$expert0.out, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x128xf32>, tensor<128x96xf32>) -> tensor<25x96xf32>
    %78 = stablehlo.add %27, %77 : tensor<25x96xf32>
    %79 = stablehlo.multiply %78, %78 : tensor<25x96xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %80 = stablehlo.reduce(%79 init: %cst_8) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %81 = stablehlo.broadcast_in_dim %80, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_9 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %83 = stablehlo.divide %81, %82 : tensor<25x1xf32>
    %cst_10 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %85 = stablehlo.add %83, %84 : tensor<25x1xf32>
    %86 = stablehlo.rsqrt %85 : tensor<25x1xf32>
    %87 = stablehlo.broadcast_in_dim %86, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %88 = stablehlo.multiply %78, %87 : tensor<25x96xf32>
    %89 = stablehlo.dot_general %88, %$expert0.up, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x384xf32>) -> tensor<25x384xf32>
    %90 = stablehlo.slice %89 [0:25, 0:192] : (tensor<25x384xf32>) -> tensor<25x192xf32>
    %91 = stablehlo.slice %89 [0:25, 192:384] : (tensor<25x384xf32>) -> tensor<25x192xf32>
    %92 = call @step_identity$silu_0(%90) : (tensor<25x192xf32>) -> tensor<25x192xf32>
    %93 = stablehlo.multiply %92, %91 : tensor<25x192xf32>
    %94 = stablehlo.dot_general %93, %$expert0.down, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x192xf32>, tensor<192x96xf32>) -> tensor<25x96xf32>
    %95 = stablehlo.add %78, %94 : tensor<25x96xf32>
    %96 = stablehlo.multiply %95, %95 : tensor<25x96xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %97 = stablehlo.reduce(%96 init: %cst_11) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %98 = stablehlo.broadcast_in_dim %97, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_12 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %100 = stablehlo.divide %98, %99 : tensor<25x1xf32>
    %cst_13 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %101 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %102 = stablehlo.add %100, %101 : tensor<25x1xf32>
    %103 = stablehlo.rsqrt %102 : tensor<25x1xf32>
    %104 = stablehlo.broadcast_in_dim %103, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %105 = stablehlo.multiply %95, %104 : tensor<25x96xf32>
    %106 = stablehlo.dot_general %105, %$expert1.qkv, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x384xf32>) -> tensor<25x384xf32>
    %107 = stablehlo.slice %106 [0:25, 0:128] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %108 = stablehlo.slice %106 [0:25, 128:256] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %109 = stablehlo.slice %106 [0:25, 256:384] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %110 = stablehlo.reshape %107 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %111 = stablehlo.transpose %110, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %112 = stablehlo.reshape %108 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %113 = stablehlo.transpose %112, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %114 = stablehlo.reshape %109 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %115 = stablehlo.transpose %114, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %116 = stablehlo.slice %arg0 [1:2, 0:1, 0:4, 0:32, 0:32] : (tensor<4x2x4x32x32xf32>) -> tensor<1x1x4x32x32xf32>
    %117 = stablehlo.reshape %116 : (tensor<1x1x4x32x32xf32>) -> tensor<4x32x32xf32>
    %118 = stablehlo.slice %arg0 [1:2, 1:2, 0:4, 0:32, 0:32] : (tensor<4x2x4x32x32xf32>) -> tensor<1x1x4x32x32xf32>
    %119 = stablehlo.reshape %118 : (tensor<1x1x4x32x32xf32>) -> tensor<4x32x32xf32>
    %120 = stablehlo.dot_general %111, %117, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %121 = stablehlo.dot_general %111, %113, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x25x32xf32>) -> tensor<4x25x25xf32>
    %122 = stablehlo.concatenate %120, %121, dim = 2 : (tensor<4x25x32xf32>, tensor<4x25x25xf32>) -> tensor<4x25x57xf32>
    %cst_14 = stablehlo.constant dense<0.176776692> : tensor<f32>
    %123 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x25x57xf32>
    %124 = stablehlo.multiply %122, %123 : tensor<4x25x57xf32>
    %cst_15 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %125 = stablehlo.reduce(%124 init: %cst_15) applies stablehlo.maximum across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %cst_16 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %126 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %127 = stablehlo.maximum %126, %125 : tensor<4x25xf32>
    %128 = stablehlo.broadcast_in_dim %127, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %129 = stablehlo.broadcast_in_dim %128, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %130 = stablehlo.subtract %124, %129 : tensor<4x25x57xf32>
    %131 = stablehlo.exponential %130 : tensor<4x25x57xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %132 = stablehlo.reduce(%131 init: %cst_17) applies stablehlo.add across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %133 = stablehlo.broadcast_in_dim %132, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %134 = stablehlo.broadcast_in_dim %133, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %135 = stablehlo.divide %131, %134 : tensor<4x25x57xf32>
    %136 = stablehlo.slice %135 [0:4, 0:25, 0:32] : (tensor<4x25x57xf32>) -> tensor<4x25x32xf32>
    %137 = stablehlo.slice %135 [0:4, 0:25, 32:57] : (tensor<4x25x57xf32>) -> tensor<4x25x25xf32>
    %138 = stablehlo.dot_general %136, %119, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %139 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x25x32xf32>
    %140 = stablehlo.add %139, %138 : tensor<4x25x32xf32>
    %141 = stablehlo.dot_general %137, %115, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x25xf32>, tensor<4x25x32xf32>) -> tensor<4x25x32xf32>
    %142 = stablehlo.add %140, %141 : tensor<4x25x32xf32>
    %143 = stablehlo.transpose %142, dims = [1, 0, 2] : (tensor<4x25x32xf32>) -> tensor<25x4x32xf32>
    %144 = stablehlo.reshape %143 : (tensor<25x4x32xf32>) -> tensor<25x128xf32>
    %145 = stablehlo.dot_general %144, %$expert1.out, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x128xf32>, tensor<128x96xf32>) -> tensor<25x96xf32>
    %146 = stablehlo.add %95, %145 : tensor<25x96xf32>
    %147 = stablehlo.multiply %146, %146 : tensor<25x96xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %148 = stablehlo.reduce(%147 init: %cst_19) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %149 = stablehlo.broadcast_in_dim %148, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_20 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %150 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %151 = stablehlo.divide %149, %150 : tensor<25x1xf32>
    %cst_21 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %152 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %153 = stablehlo.add %151, %152 : tensor<25x1xf32>
    %154 = stablehlo.rsqrt %153 : tensor<25x1xf32>
    %155 = stablehlo.broadcast_in_dim %154, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %156 = stablehlo.multiply %146, %155 : tensor<25x96xf32>
    %157 = stablehlo.dot_general %156, %$expert1.up, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x384xf32>) -> tensor<25x384xf32>
    %158 = stablehlo.slice %157 [0:25, 0:192] : (tensor<25x384xf32>) -> tensor<25x192xf32>
    %159 = stablehlo.slice %157 [0:25, 192:384] : (tensor<25x384xf32>) -> tensor<25x192xf32>
    %160 = call @step_identity$silu_0(%158) : (tensor<25x192xf32>) -> tensor<25x192xf32>
    %161 = stablehlo.multiply %160, %159 : tensor<25x192xf32>
    %162 = stablehlo.dot_general %161, %$expert1.down, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x192xf32>, tensor<192x96xf32>) -> tensor<25x96xf32>
    %163 = stablehlo.add %146, %162 : tensor<25x96xf32>
    %164 = stablehlo.multiply %163, %163 : tensor<25x96xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %165 = stablehlo.reduce(%164 init: %cst_22) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %166 = stablehlo.broadcast_in_dim %165, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_23 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %167 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %168 = stablehlo.divide %166, %167 : tensor<25x1xf32>
    %cst_24 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %169 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %170 = stablehlo.add %168, %169 : tensor<25x1xf32>
    %171 = stablehlo.rsqrt %170 : tensor<25x1xf32>
    %172 = stablehlo.broadcast_in_dim %171, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %173 = stablehlo.multiply %163, %172 : tensor<25x96xf32>
    %174 = stablehlo.dot_general %173, %$expert2.qkv, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x384xf32>) -> tensor<25x384xf32>
    %175 = stablehlo.slice %174 [0:25, 0:128] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %176 = stablehlo.slice %174 [0:25, 128:256] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %177 = stablehlo.slice %174 [0:25, 256:384] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %178 = stablehlo.reshape %175 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %179 = stablehlo.transpose %178, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %180 = stablehlo.reshape %176 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %181 = stablehlo.transpose %180, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %182 = stablehlo.reshape %177 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %183 = stablehlo.transpose %182, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %184 = stablehlo.slice %arg0 [2:3, 0:1, 0:4, 0:32, 0:32] : (tensor<4x2x4x32x32xf32>) -> tensor<1x1x4x32x32xf32>
    %185 = stablehlo.reshape %184 : (tensor<1x1x4x32x32xf32>) -> tensor<4x32x32xf32>
    %186 = stablehlo.slice %arg0 [2:3, 1:2, 0:4, 0:32, 0:32] : (tensor<4x2x4x32x32xf32>) -> tensor<1x1x4x32x32xf32>
    %187 = stablehlo.reshape %186 : (tensor<1x1x4x32x32xf32>) -> tensor<4x32x32xf32>
    %188 = stablehlo.dot_general %179, %185, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %189 = stablehlo.dot_general %179, %181, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x25x32xf32>) -> tensor<4x25x25xf32>
    %190 = stablehlo.concatenate %188, %189, dim = 2 : (tensor<4x25x32xf32>, tensor<4x25x25xf32>) -> tensor<4x25x57xf32>
    %cst_25 = stablehlo.constant dense<0.176776692> : tensor<f32>
    %191 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<4x25x57xf32>
    %192 = stablehlo.multiply %190, %191 : tensor<4x25x57xf32>
    %cst_26 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %193 = stablehlo.reduce(%192 init: %cst_26) applies stablehlo.maximum across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %cst_27 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %194 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %195 = stablehlo.maximum %194, %193 : tensor<4x25xf32>
    %196 = stablehlo.broadcast_in_dim %195, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %197 = stablehlo.broadcast_in_dim %196, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %198 = stablehlo.subtract %192, %197 : tensor<4x25x57xf32>
    %199 = stablehlo.exponential %198 : tensor<4x25x57xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %200 = stablehlo.reduce(%199 init: %cst_28) applies stablehlo.add across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %201 = stablehlo.broadcast_in_dim %200, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %202 = stablehlo.broadcast_in_dim %201, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %203 = stablehlo.divide %199, %202 : tensor<4x25x57xf32>
    %204 = stablehlo.slice %203 [0:4, 0:25, 0:32] : (tensor<4x25x57xf32>) -> tensor<4x25x32xf32>
    %205 = stablehlo.slice %203 [0:4, 0:25, 32:57] : (tensor<4x25x57xf32>) -> tensor<4x25x25xf32>
    %206 = stablehlo.dot_general %204, %187, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %207 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<4x25x32xf32>
    %208 = stablehlo.add %207, %206 : tensor<4x25x32xf32>
    %209 = stablehlo.dot_general %205, %183, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x25xf32>, tensor<4x25x32xf32>) -> tensor<4x25x32xf32>
    %210 = stablehlo.add %208, %209 : tensor<4x25x32xf32>
    %211 = stablehlo.transpose %210, dims = [1, 0, 2] : (tensor<4x25x32xf32>) -> tensor<25x4x32xf32>
    %212 = stablehlo.reshape %211 : (tensor<25x4x32xf32>) -> tensor<25x128xf32>
    %213 = stablehlo.dot_general %212, %$expert2.out, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x128xf32>, tensor<128x96xf32>) -> tensor<25x96xf32>
    %214 = stablehlo.add %163, %213 : tensor<25x96xf32>
    %215 = stablehlo.multiply %214, %214 : tensor<25x96xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %216 = stablehlo.reduce(%215 init: %cst_30) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %217 = stablehlo.broadcast_in_dim %216, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_31 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %218 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %219 = stablehlo.divide %217, %218 : tensor<25x1xf32>
    %cst_32 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %220 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %221 = stablehlo.add %219, %220 : tensor<25x1xf32>
    %222 = stablehlo.rsqrt %221 : tensor<25x1xf32>
    %223 = stablehlo.broadcast_in_dim %222, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %224 = stablehlo.multiply %214, %223 : tensor<25x96xf32>
    %225 = stablehlo.dot_general %224, %$expert2.up, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x384xf32>) -> tensor<25x384xf32>
    %226 = stablehlo.slice %225 [0:25, 0:192] : (tensor<25x384xf32>) -> tensor<25x192xf32>
    %227 = stablehlo.slice %225 [0:25, 192:384] : (tensor<25x384xf32>) -> tensor<25x192xf32>
    %228 = call @step_identity$silu_0(%226) : (tensor<25x192xf32>) -> tensor<25x192xf32>
    %229 = stablehlo.multiply %228, %227 : tensor<25x192xf32>
    %230 = stablehlo.dot_general %229, %$expert2.down, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x192xf32>, tensor<192x96xf32>) -> tensor<25x96xf32>
    %231 = stablehlo.add %214, %230 : tensor<25x96xf32>
    %232 = stablehlo.multiply %231, %231 : tensor<25x96xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %233 = stablehlo.reduce(%232 init: %cst_33) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %234 = stablehlo.broadcast_in_dim %233, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_34 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %235 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %236 = stablehlo.divide %234, %235 : tensor<25x1xf32>
    %cst_35 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %237 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %238 = stablehlo.add %236, %237 : tensor<25x1xf32>
    %239 = stablehlo.rsqrt %238 : tensor<25x1xf32>
    %240 = stablehlo.broadcast_in_dim %239, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %241 = stablehlo.multiply %231, %240 : tensor<25x96xf32>
    %242 = stablehlo.dot_general %241, %$expert3.qkv, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x384xf32>) -> tensor<25x384xf32>
    %243 = stablehlo.slice %242 [0:25, 0:128] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %244 = stablehlo.slice %242 [0:25, 128:256] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %245 = stablehlo.slice %242 [0:25, 256:384] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %246 = stablehlo.reshape %243 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %247 = stablehlo.transpose %246, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %248 = stablehlo.reshape %244 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %249 = stablehlo.transpose %248, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %250 = stablehlo.reshape %245 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %251 = stablehlo.transpose %250, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %252 = stablehlo.slice %arg0 [3:4, 0:1, 0:4, 0:32, 0:32] : (tensor<4x2x4x32x32xf32>) -> tensor<1x1x4x32x32xf32>
    %253 = stablehlo.reshape %252 : (tensor<1x1x4x32x32xf32>) -> tensor<4x32x32xf32>
    %254 = stablehlo.slice %arg0 [3:4, 1:2, 0:4, 0:32, 0:32] : (tensor<4x2x4x32x32xf32>) -> tensor<1x1x4x32x32xf32>
    %255 = stablehlo.reshape %254 : (tensor<1x1x4x32x32xf32>) -> tensor<4x32x32xf32>
    %256 = stablehlo.dot_general %247, %253, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %257 = stablehlo.dot_general %247, %249, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x25x32xf32>) -> tensor<4x25x25xf32>
    %258 = stablehlo.concatenate %256, %257, dim = 2 : (tensor<4x25x32xf32>, tensor<4x25x25xf32>) -> tensor<4x25x57xf32>
    %cst_36 = stablehlo.constant dense<0.176776692> : tensor<f32>
    %259 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<4x25x57xf32>
    %260 = stablehlo.multiply %258, %259 : tensor<4x25x57xf32>
    %cst_37 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %261 = stablehlo.reduce(%260 init: %cst_37) applies stablehlo.maximum across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %cst_38 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %262 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %263 = stablehlo.maximum %262, %261 : tensor<4x25xf32>
    %264 = stablehlo.broadcast_in_dim %263, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %265 = stablehlo.broadcast_in_dim %264, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %266 = stablehlo.subtract %260, %265 : tensor<4x25x57xf32>
    %267 = stablehlo.exponential %266 : tensor<4x25x57xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %268 = stablehlo.reduce(%267 init: %cst_39) applies stablehlo.add across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %269 = stablehlo.broadcast_in_dim %268, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %270 = stablehlo.broadcast_in_dim %269, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %271 = stablehlo.divide %267, %270 : tensor<4x25x57xf32>
    %272 = stablehlo.slice %271 [0:4, 0:25, 0:32] : (tensor<4x25x57xf32>) -> tensor<4x25x32xf32>
    %273 = stablehlo.slice %271 [0:4, 0:25, 32:57] : (tensor<4x25x57xf32>) -> tensor<4x25x25xf32>
    %274 = stablehlo.dot_general %272, %255, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %275 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<4x25x32xf32>
    %276 = stablehlo.add %275, %274 : tensor<4x25x32xf32>
    %277 = stablehlo.dot_general %273, %251, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x25xf32>, tensor<4x25x32xf32>) -> tensor<4x25x32xf32>
    %278 = stablehlo.add %276, %277 : tensor<4x25x32xf32>
    %279 = stablehlo.transpose %278, dims = [1, 0, 2] : (tensor<4x25x32xf32>) -> tensor<25x4x32xf32>
    %280 = stablehlo.reshape %279 : (tensor<25x4x32xf32>) -> tensor<25x128xf32>
    %281 = stablehlo.dot_general %280, %$expert3.out, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x128xf32>, tensor<128x96xf32>) -> tensor<25x96xf32>
    %282 = stablehlo.add %231, %281 : tensor<25x96xf32>
    %283 = stablehlo.multiply %282, %282 : tensor<25x96xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %284 = stablehlo.reduce(%283 init: %cst_41) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %285 = stablehlo.broadcast_in_dim %284, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_42 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %286 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %287 = stablehlo.divide %285, %286 : tensor<25x1xf32>
    %cst_43 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %288 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %289 = stablehlo.add %287, %288 : tensor<25x1xf32>
    %290 = stablehlo.rsqrt %289 : tensor<25x1xf32>
    %291 = stablehlo.broadcast_in_dim %290, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %292 = stablehlo.multiply %282, %291 : tensor<25x96xf32>
    %293 = stablehlo.dot_general %292, %$expert3.up, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x384xf32>) -> tensor<25x384xf32>
    %294 = stablehlo.slice %293 [0:25, 0:192] : (tensor<25x384xf32>) -> tensor<25x192xf32>
    %295 = stablehlo.slice %293 [0:25, 192:384] : (tensor<25x384xf32>) -> tensor<25x192xf32>
    %296 = call @step_identity$silu_0(%294) : (tensor<25x192xf32>) -> tensor<25x192xf32>
    %297 = stablehlo.multiply %296, %295 : tensor<25x192xf32>
    %298 = stablehlo.dot_general %297, %$expert3.down, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x192xf32>, tensor<192x96xf32>) -> tensor<25x96xf32>
    %299 = stablehlo.add %282, %298 : tensor<25x96xf32>
    %300 = stablehlo.slice %299 [1:25, 0:96] : (tensor<25x96xf32>) -> tensor<24x96xf32>
    %301 = stablehlo.multiply %300, %300 : tensor<24x96xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %302 = stablehlo.reduce(%301 init: %cst_44) applies stablehlo.add across dimensions = [1] : (tensor<24x96xf32>, tensor<f32>) -> tensor<24xf32>
    %303 = stablehlo.broadcast_in_dim %302, dims = [0] : (tensor<24xf32>) -> tensor<24x1xf32>
    %cst_45 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %304 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<24x1xf32>
    %305 = stablehlo.divide %303, %304 : tensor<24x1xf32>
    %cst_46 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %306 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<24x1xf32>
    %307 = stablehlo.add %305, %306 : tensor<24x1xf32>
    %308 = stablehlo.rsqrt %307 : tensor<24x1xf32>
    %309 = stablehlo.broadcast_in_dim %308, dims = [0, 1] : (tensor<24x1xf32>) -> tensor<24x96xf32>
    %310 = stablehlo.multiply %300, %309 : tensor<24x96xf32>
    %311 = stablehlo.dot_general %310, %$action_out, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24x96xf32>, tensor<96x4xf32>) -> tensor<24x4xf32>
    %cst_47 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %312 = stablehlo.subtract %cst_47, %arg3 : tensor<f32>
    %313 = stablehlo.broadcast_in_dim %312, dims = [] : (tensor<f32>) -> tensor<24x4xf32>
    %314 = stablehlo.multiply %313, %311 : tensor<24x4xf32>
    %315 = stablehlo.add %arg2, %314 : tensor<24x4xf32>
    %316 = stablehlo.subtract %arg5, %315 : tensor<24x4xf32>
    %317 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<24x1xf32>) -> tensor<24x4xf32>
    %318 = stablehlo.multiply %316, %317 : tensor<24x4xf32>
    %319 = stablehlo.multiply %arg3, %arg3 : tensor<f32>
    %cst_48 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %320 = stablehlo.subtract %cst_48, %arg3 : tensor<f32>
    %321 = stablehlo.multiply %320, %320 : tensor<f32>
    %322 = stablehlo.add %319, %321 : tensor<f32>
    %cst_49 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %323 = stablehlo.subtract %cst_49, %arg3 : tensor<f32>
    %324 = stablehlo.multiply %arg3, %323 : tensor<f32>
    %cst_50 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %325 = stablehlo.maximum %324, %cst_50 : tensor<f32>
    %326 = stablehlo.divide %322, %325 : tensor<f32>
    %327 = stablehlo.minimum %arg7, %326 : tensor<f32>
    %328 = stablehlo.broadcast_in_dim %327, dims = [] : (tensor<f32>) -> tensor<24x4xf32>
    %329 = stablehlo.multiply %328, %318 : tensor<24x4xf32>
    %330 = stablehlo.add %311, %329 : tensor<24x4xf32>
    %331 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<f32>) -> tensor<24x4xf32>
    %332 = stablehlo.multiply %331, %330 : tensor<24x4xf32>
    %333 = stablehlo.add %arg2, %332 : tensor<24x4xf32>
    %334 = stablehlo.add %arg3, %arg4 : tensor<f32>
    return %333, %334 : tensor<24x4xf32>, tensor<f32>
  }
  func.func private @step_identity$silu(%arg0: tensor<24x96xf32>) -> tensor<24x96xf32> {
    %0 = stablehlo.negate %arg0 : tensor<24x96xf32>
    %1 = stablehlo.exponential %0 : tensor<24x96xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<24x96xf32>
    %3 = stablehlo.add %2, %1 : tensor<24x96xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<24x96xf32>
    %5 = stablehlo.divide %4, %3 : tensor<24x96xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<24x96xf32>
    return %6 : tensor<24x96xf32>
  }
  func.func private @step_identity$silu_0(%arg0: tensor<25x192xf32>) -> tensor<25x192xf32> {
    %0 = stablehlo.negate %arg0 : tensor<25x192xf32>
    %1 = stablehlo.exponential %0 : tensor<25x192xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<25x192xf32>
    %3 = stablehlo.add %2, %1 : tensor<25x192xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<25x192xf32>
    %5 = stablehlo.divide %4, %3 : tensor<25x192xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<25x192xf32>
    return %6 : tensor<25x192xf32>
  }
  func.func public @step_vjp(%arg0: tensor<4x2x4x32x32xf32>, %arg1: tensor<8xf32>, %arg2: tensor<24x4xf32>, %arg3: tensor<f32>, %arg4: tensor<f32>, %arg5: tensor<24x4xf32>, %arg6: tensor<24xf32>, %arg7: tensor<f32>, %arg8: tensor<24x4xf32> {iree.abi.output = 0 : index}, %arg9: tensor<f32> {iree.abi.output = 1 : index}, %arg10: !hal.buffer {iree.abi.transients}) -> (tensor<24x4xf32>, tensor<f32>) attributes {iree.reflection = {polyrhythm.inputs = "kv,proprio,x,t,dt,target,weights,beta", polyrhythm.outputs = "x,t"}} {
    %0:8 = util.optimization_barrier %arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7 : tensor<4x2x4x32x32xf32>, tensor<8xf32>, tensor<24x4xf32>, tensor<f32>, tensor<f32>, tensor<24x4xf32>, tensor<24xf32>, tensor<f32>
    %$action_bias = util.global.load @"$action_bias" : tensor<96xf32>
    %$action_in = util.global.load @"$action_in" : tensor<4x96xf32>
    %$action_mix = util.global.load @"$action_mix" : tensor<96x96xf32>
    %$action_out = util.global.load @"$action_out" : tensor<96x4xf32>
    %$clock = util.global.load @"$clock" : tensor<96x96xf32>
    %$expert0.down = util.global.load @"$expert0.down" : tensor<192x96xf32>
    %$expert0.out = util.global.load @"$expert0.out" : tensor<128x96xf32>
    %$expert0.qkv = util.global.load @"$expert0.qkv" : tensor<96x384xf32>
    %$expert0.up = util.global.load @"$expert0.up" : tensor<96x384xf32>
    %$expert1.down = util.global.load @"$expert1.down" : tensor<192x96xf32>
    %$expert1.out = util.global.load @"$expert1.out" : tensor<128x96xf32>
    %$expert1.qkv = util.global.load @"$expert1.qkv" : tensor<96x384xf32>
    %$expert1.up = util.global.load @"$expert1.up" : tensor<96x384xf32>
    %$expert2.down = util.global.load @"$expert2.down" : tensor<192x96xf32>
    %$expert2.out = util.global.load @"$expert2.out" : tensor<128x96xf32>
    %$expert2.qkv = util.global.load @"$expert2.qkv" : tensor<96x384xf32>
    %$expert2.up = util.global.load @"$expert2.up" : tensor<96x384xf32>
    %$expert3.down = util.global.load @"$expert3.down" : tensor<192x96xf32>
    %$expert3.out = util.global.load @"$expert3.out" : tensor<128x96xf32>
    %$expert3.qkv = util.global.load @"$expert3.qkv" : tensor<96x384xf32>
    %$expert3.up = util.global.load @"$expert3.up" : tensor<96x384xf32>
    %$motion_mean = util.global.load @"$motion_mean" : tensor<8xf32>
    %$motion_std = util.global.load @"$motion_std" : tensor<8xf32>
    %$state_in = util.global.load @"$state_in" : tensor<8x96xf32>
    %$suffix_position = util.global.load @"$suffix_position" : tensor<25x96xf32>
    %cst = stablehlo.constant dense<[1.000000e+00, 1.1029433, 1.21648395, 1.34171283, 1.47983325, 1.63217211, 1.80019331, 1.98551118, 2.18990636, 2.41534257, 2.66398597, 2.93822527, 3.24069595, 3.5743041, 3.94225478, 4.3480835, 4.79568958, 5.28937387, 5.83387947, 6.43443823, 7.09682083, 7.82739067, 8.63316822, 9.5218954, 10.5021105, 11.5832329, 12.7756491, 14.0908165, 15.5413723, 17.1412525, 18.9058304, 20.8520584, 22.9986382, 25.3661938, 27.9774742, 30.8575687, 34.0341492, 37.537735, 41.4019966, 45.6640549, 50.3648643, 55.5495872, 61.2680473, 67.57518, 74.5315933, 82.2041245, 90.6664886, 1.000000e+02]> : tensor<48xf32>
    %1 = stablehlo.broadcast_in_dim %arg6, dims = [0] : (tensor<24xf32>) -> tensor<24x1xf32>
    %2 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<1xf32>) -> tensor<48xf32>
    %4 = stablehlo.multiply %3, %cst : tensor<48xf32>
    %5 = stablehlo.cosine %4 : tensor<48xf32>
    %6 = stablehlo.sine %4 : tensor<48xf32>
    %7 = stablehlo.concatenate %5, %6, dim = 0 : (tensor<48xf32>, tensor<48xf32>) -> tensor<96xf32>
    %8 = stablehlo.dot_general %7, %$clock, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<96xf32>, tensor<96x96xf32>) -> tensor<96xf32>
    %9 = stablehlo.dot_general %arg2, %$action_in, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24x4xf32>, tensor<4x96xf32>) -> tensor<24x96xf32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<24x96xf32>
    %12 = stablehlo.add %9, %11 : tensor<24x96xf32>
    %13 = stablehlo.broadcast_in_dim %$action_bias, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<24x96xf32>
    %15 = stablehlo.add %12, %14 : tensor<24x96xf32>
    %16:3 = call @step_vjp$silu(%15) : (tensor<24x96xf32>) -> (tensor<24x96xf32>, tensor<24x96xf32>, tensor<24x96xf32>)
    %17 = stablehlo.dot_general %16#0, %$action_mix, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24x96xf32>, tensor<96x96xf32>) -> tensor<24x96xf32>
    %18 = stablehlo.slice %arg1 [0:4] : (tensor<8xf32>) -> tensor<4xf32>
    %19 = stablehlo.slice %arg1 [4:8] : (tensor<8xf32>) -> tensor<4xf32>
    %20 = stablehlo.subtract %18, %19 : tensor<4xf32>
    %21 = stablehlo.concatenate %18, %20, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
    %22 = stablehlo.subtract %21, %$motion_mean : tensor<8xf32>
    %23 = stablehlo.divide %22, %$motion_std : tensor<8xf32>
    %24 = stablehlo.dot_general %23, %$state_in, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8xf32>, tensor<8x96xf32>) -> tensor<96xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %26 = stablehlo.concatenate %25, %17, dim = 0 : (tensor<1x96xf32>, tensor<24x96xf32>) -> tensor<25x96xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x96xf32>
    %28 = stablehlo.add %26, %$suffix_position : tensor<25x96xf32>
    %29 = stablehlo.multiply %28, %28 : tensor<25x96xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.reduce(%29 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_2 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %33 = stablehlo.divide %31, %32 : tensor<25x1xf32>
    %cst_3 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %35 = stablehlo.add %33, %34 : tensor<25x1xf32>
    %36 = stablehlo.rsqrt %35 : tensor<25x1xf32>
    %37 = stablehlo.divide %36, %35 : tensor<25x1xf32>
    %cst_4 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %39 = stablehlo.multiply %38, %37 : tensor<25x1xf32>
    %40 = stablehlo.broadcast_in_dim %36, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %41 = stablehlo.multiply %28, %40 : tensor<25x96xf32>
    %42 = stablehlo.dot_general %41, %$expert0.qkv, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x384xf32>) -> tensor<25x384xf32>
    %43 = stablehlo.slice %42 [0:25, 0:128] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %44 = stablehlo.slice %42 [0:25, 128:256] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %45 = stablehlo.slice %42 [0:25, 256:384] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %46 = stablehlo.reshape %43 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %47 = stablehlo.transpose %46, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %48 = stablehlo.reshape %44 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %49 = stablehlo.transpose %48, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %50 = stablehlo.reshape %45 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %51 = stablehlo.transpose %50, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %52 = stablehlo.slice %arg0 [0:1, 0:1, 0:4, 0:32, 0:32] : (tensor<4x2x4x32x32xf32>) -> tensor<1x1x4x32x32xf32>
    %53 = stablehlo.reshape %52 : (tensor<1x1x4x32x32xf32>) -> tensor<4x32x32xf32>
    %54 = stablehlo.slice %arg0 [0:1, 1:2, 0:4, 0:32, 0:32] : (tensor<4x2x4x32x32xf32>) -> tensor<1x1x4x32x32xf32>
    %55 = stablehlo.reshape %54 : (tensor<1x1x4x32x32xf32>) -> tensor<4x32x32xf32>
    %56 = stablehlo.dot_general %47, %53, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %57 = stablehlo.dot_general %47, %49, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x25x32xf32>) -> tensor<4x25x25xf32>
    %58 = stablehlo.concatenate %56, %57, dim = 2 : (tensor<4x25x32xf32>, tensor<4x25x25xf32>) -> tensor<4x25x57xf32>
    %cst_5 = stablehlo.constant dense<0.176776692> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x25x57xf32>
    %60 = stablehlo.multiply %58, %59 : tensor<4x25x57xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %61 = stablehlo.reduce(%60 init: %cst_6) applies stablehlo.maximum across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %62 = stablehlo.reshape %61 : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %64 = stablehlo.compare EQ, %60, %63, FLOAT : (tensor<4x25x57xf32>, tensor<4x25x57xf32>) -> tensor<4x25x57xi1>
    %65 = stablehlo.convert %64 : (tensor<4x25x57xi1>) -> tensor<4x25x57xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %66 = stablehlo.reduce(%65 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %68 = stablehlo.maximum %67, %61 : tensor<4x25xf32>
    %69 = stablehlo.compare EQ, %61, %68, FLOAT : (tensor<4x25xf32>, tensor<4x25xf32>) -> tensor<4x25xi1>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %72 = stablehlo.select %69, %70, %71 : tensor<4x25xi1>, tensor<4x25xf32>
    %cst_11 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %74 = stablehlo.compare EQ, %73, %68, FLOAT : (tensor<4x25xf32>, tensor<4x25xf32>) -> tensor<4x25xi1>
    %cst_12 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %77 = stablehlo.select %74, %75, %76 : tensor<4x25xi1>, tensor<4x25xf32>
    %78 = stablehlo.divide %72, %77 : tensor<4x25xf32>
    %79 = stablehlo.broadcast_in_dim %68, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %80 = stablehlo.broadcast_in_dim %79, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %81 = stablehlo.subtract %60, %80 : tensor<4x25x57xf32>
    %82 = stablehlo.exponential %81 : tensor<4x25x57xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %83 = stablehlo.reduce(%82 init: %cst_14) applies stablehlo.add across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %84 = stablehlo.broadcast_in_dim %83, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %85 = stablehlo.broadcast_in_dim %84, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %86 = stablehlo.divide %82, %85 : tensor<4x25x57xf32>
    %87 = stablehlo.multiply %84, %84 : tensor<4x25x1xf32>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x25x1xf32>
    %89 = stablehlo.divide %88, %87 : tensor<4x25x1xf32>
    %90 = stablehlo.slice %86 [0:4, 0:25, 0:32] : (tensor<4x25x57xf32>) -> tensor<4x25x32xf32>
    %91 = stablehlo.slice %86 [0:4, 0:25, 32:57] : (tensor<4x25x57xf32>) -> tensor<4x25x25xf32>
    %92 = stablehlo.dot_general %90, %55, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %93 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x25x32xf32>
    %94 = stablehlo.add %93, %92 : tensor<4x25x32xf32>
    %95 = stablehlo.dot_general %91, %51, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x25xf32>, tensor<4x25x32xf32>) -> tensor<4x25x32xf32>
    %96 = stablehlo.add %94, %95 : tensor<4x25x32xf32>
    %97 = stablehlo.transpose %96, dims = [1, 0, 2] : (tensor<4x25x32xf32>) -> tensor<25x4x32xf32>
    %98 = stablehlo.reshape %97 : (tensor<25x4x32xf32>) -> tensor<25x128xf32>
    %99 = stablehlo.dot_general %98, %$expert0.out, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x128xf32>, tensor<128x96xf32>) -> tensor<25x96xf32>
    %100 = stablehlo.add %28, %99 : tensor<25x96xf32>
    %101 = stablehlo.multiply %100, %100 : tensor<25x96xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %102 = stablehlo.reduce(%101 init: %cst_17) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %103 = stablehlo.broadcast_in_dim %102, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_18 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %105 = stablehlo.divide %103, %104 : tensor<25x1xf32>
    %cst_19 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %106 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %107 = stablehlo.add %105, %106 : tensor<25x1xf32>
    %108 = stablehlo.rsqrt %107 : tensor<25x1xf32>
    %109 = stablehlo.divide %108, %107 : tensor<25x1xf32>
    %cst_20 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %110 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %111 = stablehlo.multiply %110, %109 : tensor<25x1xf32>
    %112 = stablehlo.broadcast_in_dim %108, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %113 = stablehlo.multiply %100, %112 : tensor<25x96xf32>
    %114 = stablehlo.dot_general %113, %$expert0.up, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x384xf32>) -> tensor<25x384xf32>
    %115 = stablehlo.slice %114 [0:25, 0:192] : (tensor<25x384xf32>) -> tensor<25x192xf32>
    %116 = stablehlo.slice %114 [0:25, 192:384] : (tensor<25x384xf32>) -> tensor<25x192xf32>
    %117:3 = call @step_vjp$silu_0(%115) : (tensor<25x192xf32>) -> (tensor<25x192xf32>, tensor<25x192xf32>, tensor<25x192xf32>)
    %118 = stablehlo.multiply %117#0, %116 : tensor<25x192xf32>
    %119 = stablehlo.dot_general %118, %$expert0.down, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x192xf32>, tensor<192x96xf32>) -> tensor<25x96xf32>
    %120 = stablehlo.add %100, %119 : tensor<25x96xf32>
    %121 = stablehlo.multiply %120, %120 : tensor<25x96xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %122 = stablehlo.reduce(%121 init: %cst_21) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %123 = stablehlo.broadcast_in_dim %122, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_22 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %124 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %125 = stablehlo.divide %123, %124 : tensor<25x1xf32>
    %cst_23 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %126 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %127 = stablehlo.add %125, %126 : tensor<25x1xf32>
    %128 = stablehlo.rsqrt %127 : tensor<25x1xf32>
    %129 = stablehlo.divide %128, %127 : tensor<25x1xf32>
    %cst_24 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %130 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %131 = stablehlo.multiply %130, %129 : tensor<25x1xf32>
    %132 = stablehlo.broadcast_in_dim %128, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %133 = stablehlo.multiply %120, %132 : tensor<25x96xf32>
    %134 = stablehlo.dot_general %133, %$expert1.qkv, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x384xf32>) -> tensor<25x384xf32>
    %135 = stablehlo.slice %134 [0:25, 0:128] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %136 = stablehlo.slice %134 [0:25, 128:256] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %137 = stablehlo.slice %134 [0:25, 256:384] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %138 = stablehlo.reshape %135 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %139 = stablehlo.transpose %138, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %140 = stablehlo.reshape %136 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %141 = stablehlo.transpose %140, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %142 = stablehlo.reshape %137 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %143 = stablehlo.transpose %142, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %144 = stablehlo.slice %arg0 [1:2, 0:1, 0:4, 0:32, 0:32] : (tensor<4x2x4x32x32xf32>) -> tensor<1x1x4x32x32xf32>
    %145 = stablehlo.reshape %144 : (tensor<1x1x4x32x32xf32>) -> tensor<4x32x32xf32>
    %146 = stablehlo.slice %arg0 [1:2, 1:2, 0:4, 0:32, 0:32] : (tensor<4x2x4x32x32xf32>) -> tensor<1x1x4x32x32xf32>
    %147 = stablehlo.reshape %146 : (tensor<1x1x4x32x32xf32>) -> tensor<4x32x32xf32>
    %148 = stablehlo.dot_general %139, %145, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %149 = stablehlo.dot_general %139, %141, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x25x32xf32>) -> tensor<4x25x25xf32>
    %150 = stablehlo.concatenate %148, %149, dim = 2 : (tensor<4x25x32xf32>, tensor<4x25x25xf32>) -> tensor<4x25x57xf32>
    %cst_25 = stablehlo.constant dense<0.176776692> : tensor<f32>
    %151 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<4x25x57xf32>
    %152 = stablehlo.multiply %150, %151 : tensor<4x25x57xf32>
    %cst_26 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %153 = stablehlo.reduce(%152 init: %cst_26) applies stablehlo.maximum across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %154 = stablehlo.reshape %153 : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %155 = stablehlo.broadcast_in_dim %154, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %156 = stablehlo.compare EQ, %152, %155, FLOAT : (tensor<4x25x57xf32>, tensor<4x25x57xf32>) -> tensor<4x25x57xi1>
    %157 = stablehlo.convert %156 : (tensor<4x25x57xi1>) -> tensor<4x25x57xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %158 = stablehlo.reduce(%157 init: %cst_27) applies stablehlo.add across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %cst_28 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %159 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %160 = stablehlo.maximum %159, %153 : tensor<4x25xf32>
    %161 = stablehlo.compare EQ, %153, %160, FLOAT : (tensor<4x25xf32>, tensor<4x25xf32>) -> tensor<4x25xi1>
    %cst_29 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %162 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %163 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %164 = stablehlo.select %161, %162, %163 : tensor<4x25xi1>, tensor<4x25xf32>
    %cst_31 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %165 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %166 = stablehlo.compare EQ, %165, %160, FLOAT : (tensor<4x25xf32>, tensor<4x25xf32>) -> tensor<4x25xi1>
    %cst_32 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %167 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %cst_33 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %168 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %169 = stablehlo.select %166, %167, %168 : tensor<4x25xi1>, tensor<4x25xf32>
    %170 = stablehlo.divide %164, %169 : tensor<4x25xf32>
    %171 = stablehlo.broadcast_in_dim %160, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %172 = stablehlo.broadcast_in_dim %171, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %173 = stablehlo.subtract %152, %172 : tensor<4x25x57xf32>
    %174 = stablehlo.exponential %173 : tensor<4x25x57xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %175 = stablehlo.reduce(%174 init: %cst_34) applies stablehlo.add across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %176 = stablehlo.broadcast_in_dim %175, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %177 = stablehlo.broadcast_in_dim %176, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %178 = stablehlo.divide %174, %177 : tensor<4x25x57xf32>
    %179 = stablehlo.multiply %176, %176 : tensor<4x25x1xf32>
    %cst_35 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %180 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<4x25x1xf32>
    %181 = stablehlo.divide %180, %179 : tensor<4x25x1xf32>
    %182 = stablehlo.slice %178 [0:4, 0:25, 0:32] : (tensor<4x25x57xf32>) -> tensor<4x25x32xf32>
    %183 = stablehlo.slice %178 [0:4, 0:25, 32:57] : (tensor<4x25x57xf32>) -> tensor<4x25x25xf32>
    %184 = stablehlo.dot_general %182, %147, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %185 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<4x25x32xf32>
    %186 = stablehlo.add %185, %184 : tensor<4x25x32xf32>
    %187 = stablehlo.dot_general %183, %143, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x25xf32>, tensor<4x25x32xf32>) -> tensor<4x25x32xf32>
    %188 = stablehlo.add %186, %187 : tensor<4x25x32xf32>
    %189 = stablehlo.transpose %188, dims = [1, 0, 2] : (tensor<4x25x32xf32>) -> tensor<25x4x32xf32>
    %190 = stablehlo.reshape %189 : (tensor<25x4x32xf32>) -> tensor<25x128xf32>
    %191 = stablehlo.dot_general %190, %$expert1.out, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x128xf32>, tensor<128x96xf32>) -> tensor<25x96xf32>
    %192 = stablehlo.add %120, %191 : tensor<25x96xf32>
    %193 = stablehlo.multiply %192, %192 : tensor<25x96xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %194 = stablehlo.reduce(%193 init: %cst_37) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %195 = stablehlo.broadcast_in_dim %194, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_38 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %196 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %197 = stablehlo.divide %195, %196 : tensor<25x1xf32>
    %cst_39 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %198 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %199 = stablehlo.add %197, %198 : tensor<25x1xf32>
    %200 = stablehlo.rsqrt %199 : tensor<25x1xf32>
    %201 = stablehlo.divide %200, %199 : tensor<25x1xf32>
    %cst_40 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %202 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %203 = stablehlo.multiply %202, %201 : tensor<25x1xf32>
    %204 = stablehlo.broadcast_in_dim %200, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %205 = stablehlo.multiply %192, %204 : tensor<25x96xf32>
    %206 = stablehlo.dot_general %205, %$expert1.up, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x384xf32>) -> tensor<25x384xf32>
    %207 = stablehlo.slice %206 [0:25, 0:192] : (tensor<25x384xf32>) -> tensor<25x192xf32>
    %208 = stablehlo.slice %206 [0:25, 192:384] : (tensor<25x384xf32>) -> tensor<25x192xf32>
    %209:3 = call @step_vjp$silu_0(%207) : (tensor<25x192xf32>) -> (tensor<25x192xf32>, tensor<25x192xf32>, tensor<25x192xf32>)
    %210 = stablehlo.multiply %209#0, %208 : tensor<25x192xf32>
    %211 = stablehlo.dot_general %210, %$expert1.down, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x192xf32>, tensor<192x96xf32>) -> tensor<25x96xf32>
    %212 = stablehlo.add %192, %211 : tensor<25x96xf32>
    %213 = stablehlo.multiply %212, %212 : tensor<25x96xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %214 = stablehlo.reduce(%213 init: %cst_41) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %215 = stablehlo.broadcast_in_dim %214, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_42 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %216 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %217 = stablehlo.divide %215, %216 : tensor<25x1xf32>
    %cst_43 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %218 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %219 = stablehlo.add %217, %218 : tensor<25x1xf32>
    %220 = stablehlo.rsqrt %219 : tensor<25x1xf32>
    %221 = stablehlo.divide %220, %219 : tensor<25x1xf32>
    %cst_44 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %222 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %223 = stablehlo.multiply %222, %221 : tensor<25x1xf32>
    %224 = stablehlo.broadcast_in_dim %220, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %225 = stablehlo.multiply %212, %224 : tensor<25x96xf32>
    %226 = stablehlo.dot_general %225, %$expert2.qkv, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x384xf32>) -> tensor<25x384xf32>
    %227 = stablehlo.slice %226 [0:25, 0:128] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %228 = stablehlo.slice %226 [0:25, 128:256] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %229 = stablehlo.slice %226 [0:25, 256:384] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %230 = stablehlo.reshape %227 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %231 = stablehlo.transpose %230, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %232 = stablehlo.reshape %228 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %233 = stablehlo.transpose %232, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %234 = stablehlo.reshape %229 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %235 = stablehlo.transpose %234, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %236 = stablehlo.slice %arg0 [2:3, 0:1, 0:4, 0:32, 0:32] : (tensor<4x2x4x32x32xf32>) -> tensor<1x1x4x32x32xf32>
    %237 = stablehlo.reshape %236 : (tensor<1x1x4x32x32xf32>) -> tensor<4x32x32xf32>
    %238 = stablehlo.slice %arg0 [2:3, 1:2, 0:4, 0:32, 0:32] : (tensor<4x2x4x32x32xf32>) -> tensor<1x1x4x32x32xf32>
    %239 = stablehlo.reshape %238 : (tensor<1x1x4x32x32xf32>) -> tensor<4x32x32xf32>
    %240 = stablehlo.dot_general %231, %237, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %241 = stablehlo.dot_general %231, %233, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x25x32xf32>) -> tensor<4x25x25xf32>
    %242 = stablehlo.concatenate %240, %241, dim = 2 : (tensor<4x25x32xf32>, tensor<4x25x25xf32>) -> tensor<4x25x57xf32>
    %cst_45 = stablehlo.constant dense<0.176776692> : tensor<f32>
    %243 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<4x25x57xf32>
    %244 = stablehlo.multiply %242, %243 : tensor<4x25x57xf32>
    %cst_46 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %245 = stablehlo.reduce(%244 init: %cst_46) applies stablehlo.maximum across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %246 = stablehlo.reshape %245 : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %247 = stablehlo.broadcast_in_dim %246, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %248 = stablehlo.compare EQ, %244, %247, FLOAT : (tensor<4x25x57xf32>, tensor<4x25x57xf32>) -> tensor<4x25x57xi1>
    %249 = stablehlo.convert %248 : (tensor<4x25x57xi1>) -> tensor<4x25x57xf32>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %250 = stablehlo.reduce(%249 init: %cst_47) applies stablehlo.add across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %cst_48 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %251 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %252 = stablehlo.maximum %251, %245 : tensor<4x25xf32>
    %253 = stablehlo.compare EQ, %245, %252, FLOAT : (tensor<4x25xf32>, tensor<4x25xf32>) -> tensor<4x25xi1>
    %cst_49 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %254 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %255 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %256 = stablehlo.select %253, %254, %255 : tensor<4x25xi1>, tensor<4x25xf32>
    %cst_51 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %257 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %258 = stablehlo.compare EQ, %257, %252, FLOAT : (tensor<4x25xf32>, tensor<4x25xf32>) -> tensor<4x25xi1>
    %cst_52 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %259 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %cst_53 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %260 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %261 = stablehlo.select %258, %259, %260 : tensor<4x25xi1>, tensor<4x25xf32>
    %262 = stablehlo.divide %256, %261 : tensor<4x25xf32>
    %263 = stablehlo.broadcast_in_dim %252, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %264 = stablehlo.broadcast_in_dim %263, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %265 = stablehlo.subtract %244, %264 : tensor<4x25x57xf32>
    %266 = stablehlo.exponential %265 : tensor<4x25x57xf32>
    %cst_54 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %267 = stablehlo.reduce(%266 init: %cst_54) applies stablehlo.add across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %268 = stablehlo.broadcast_in_dim %267, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %269 = stablehlo.broadcast_in_dim %268, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %270 = stablehlo.divide %266, %269 : tensor<4x25x57xf32>
    %271 = stablehlo.multiply %268, %268 : tensor<4x25x1xf32>
    %cst_55 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %272 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<4x25x1xf32>
    %273 = stablehlo.divide %272, %271 : tensor<4x25x1xf32>
    %274 = stablehlo.slice %270 [0:4, 0:25, 0:32] : (tensor<4x25x57xf32>) -> tensor<4x25x32xf32>
    %275 = stablehlo.slice %270 [0:4, 0:25, 32:57] : (tensor<4x25x57xf32>) -> tensor<4x25x25xf32>
    %276 = stablehlo.dot_general %274, %239, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %cst_56 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %277 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<4x25x32xf32>
    %278 = stablehlo.add %277, %276 : tensor<4x25x32xf32>
    %279 = stablehlo.dot_general %275, %235, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x25xf32>, tensor<4x25x32xf32>) -> tensor<4x25x32xf32>
    %280 = stablehlo.add %278, %279 : tensor<4x25x32xf32>
    %281 = stablehlo.transpose %280, dims = [1, 0, 2] : (tensor<4x25x32xf32>) -> tensor<25x4x32xf32>
    %282 = stablehlo.reshape %281 : (tensor<25x4x32xf32>) -> tensor<25x128xf32>
    %283 = stablehlo.dot_general %282, %$expert2.out, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x128xf32>, tensor<128x96xf32>) -> tensor<25x96xf32>
    %284 = stablehlo.add %212, %283 : tensor<25x96xf32>
    %285 = stablehlo.multiply %284, %284 : tensor<25x96xf32>
    %cst_57 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %286 = stablehlo.reduce(%285 init: %cst_57) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %287 = stablehlo.broadcast_in_dim %286, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_58 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %288 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %289 = stablehlo.divide %287, %288 : tensor<25x1xf32>
    %cst_59 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %290 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %291 = stablehlo.add %289, %290 : tensor<25x1xf32>
    %292 = stablehlo.rsqrt %291 : tensor<25x1xf32>
    %293 = stablehlo.divide %292, %291 : tensor<25x1xf32>
    %cst_60 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %294 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %295 = stablehlo.multiply %294, %293 : tensor<25x1xf32>
    %296 = stablehlo.broadcast_in_dim %292, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %297 = stablehlo.multiply %284, %296 : tensor<25x96xf32>
    %298 = stablehlo.dot_general %297, %$expert2.up, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x384xf32>) -> tensor<25x384xf32>
    %299 = stablehlo.slice %298 [0:25, 0:192] : (tensor<25x384xf32>) -> tensor<25x192xf32>
    %300 = stablehlo.slice %298 [0:25, 192:384] : (tensor<25x384xf32>) -> tensor<25x192xf32>
    %301:3 = call @step_vjp$silu_0(%299) : (tensor<25x192xf32>) -> (tensor<25x192xf32>, tensor<25x192xf32>, tensor<25x192xf32>)
    %302 = stablehlo.multiply %301#0, %300 : tensor<25x192xf32>
    %303 = stablehlo.dot_general %302, %$expert2.down, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x192xf32>, tensor<192x96xf32>) -> tensor<25x96xf32>
    %304 = stablehlo.add %284, %303 : tensor<25x96xf32>
    %305 = stablehlo.multiply %304, %304 : tensor<25x96xf32>
    %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %306 = stablehlo.reduce(%305 init: %cst_61) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %307 = stablehlo.broadcast_in_dim %306, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_62 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %308 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %309 = stablehlo.divide %307, %308 : tensor<25x1xf32>
    %cst_63 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %310 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %311 = stablehlo.add %309, %310 : tensor<25x1xf32>
    %312 = stablehlo.rsqrt %311 : tensor<25x1xf32>
    %313 = stablehlo.divide %312, %311 : tensor<25x1xf32>
    %cst_64 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %314 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %315 = stablehlo.multiply %314, %313 : tensor<25x1xf32>
    %316 = stablehlo.broadcast_in_dim %312, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %317 = stablehlo.multiply %304, %316 : tensor<25x96xf32>
    %318 = stablehlo.dot_general %317, %$expert3.qkv, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x384xf32>) -> tensor<25x384xf32>
    %319 = stablehlo.slice %318 [0:25, 0:128] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %320 = stablehlo.slice %318 [0:25, 128:256] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %321 = stablehlo.slice %318 [0:25, 256:384] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %322 = stablehlo.reshape %319 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %323 = stablehlo.transpose %322, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %324 = stablehlo.reshape %320 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %325 = stablehlo.transpose %324, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %326 = stablehlo.reshape %321 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %327 = stablehlo.transpose %326, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %328 = stablehlo.slice %arg0 [3:4, 0:1, 0:4, 0:32, 0:32] : (tensor<4x2x4x32x32xf32>) -> tensor<1x1x4x32x32xf32>
    %329 = stablehlo.reshape %328 : (tensor<1x1x4x32x32xf32>) -> tensor<4x32x32xf32>
    %330 = stablehlo.slice %arg0 [3:4, 1:2, 0:4, 0:32, 0:32] : (tensor<4x2x4x32x32xf32>) -> tensor<1x1x4x32x32xf32>
    %331 = stablehlo.reshape %330 : (tensor<1x1x4x32x32xf32>) -> tensor<4x32x32xf32>
    %332 = stablehlo.dot_general %323, %329, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %333 = stablehlo.dot_general %323, %325, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x25x32xf32>) -> tensor<4x25x25xf32>
    %334 = stablehlo.concatenate %332, %333, dim = 2 : (tensor<4x25x32xf32>, tensor<4x25x25xf32>) -> tensor<4x25x57xf32>
    %cst_65 = stablehlo.constant dense<0.176776692> : tensor<f32>
    %335 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<4x25x57xf32>
    %336 = stablehlo.multiply %334, %335 : tensor<4x25x57xf32>
    %cst_66 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %337 = stablehlo.reduce(%336 init: %cst_66) applies stablehlo.maximum across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %338 = stablehlo.reshape %337 : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %339 = stablehlo.broadcast_in_dim %338, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %340 = stablehlo.compare EQ, %336, %339, FLOAT : (tensor<4x25x57xf32>, tensor<4x25x57xf32>) -> tensor<4x25x57xi1>
    %341 = stablehlo.convert %340 : (tensor<4x25x57xi1>) -> tensor<4x25x57xf32>
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %342 = stablehlo.reduce(%341 init: %cst_67) applies stablehlo.add across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %cst_68 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %343 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %344 = stablehlo.maximum %343, %337 : tensor<4x25xf32>
    %345 = stablehlo.compare EQ, %337, %344, FLOAT : (tensor<4x25xf32>, tensor<4x25xf32>) -> tensor<4x25xi1>
    %cst_69 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %346 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %347 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %348 = stablehlo.select %345, %346, %347 : tensor<4x25xi1>, tensor<4x25xf32>
    %cst_71 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %349 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %350 = stablehlo.compare EQ, %349, %344, FLOAT : (tensor<4x25xf32>, tensor<4x25xf32>) -> tensor<4x25xi1>
    %cst_72 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %351 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %cst_73 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %352 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %353 = stablehlo.select %350, %351, %352 : tensor<4x25xi1>, tensor<4x25xf32>
    %354 = stablehlo.divide %348, %353 : tensor<4x25xf32>
    %355 = stablehlo.broadcast_in_dim %344, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %356 = stablehlo.broadcast_in_dim %355, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %357 = stablehlo.subtract %336, %356 : tensor<4x25x57xf32>
    %358 = stablehlo.exponential %357 : tensor<4x25x57xf32>
    %cst_74 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %359 = stablehlo.reduce(%358 init: %cst_74) applies stablehlo.add across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %360 = stablehlo.broadcast_in_dim %359, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %361 = stablehlo.broadcast_in_dim %360, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %362 = stablehlo.divide %358, %361 : tensor<4x25x57xf32>
    %363 = stablehlo.multiply %360, %360 : tensor<4x25x1xf32>
    %cst_75 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %364 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<4x25x1xf32>
    %365 = stablehlo.divide %364, %363 : tensor<4x25x1xf32>
    %366 = stablehlo.slice %362 [0:4, 0:25, 0:32] : (tensor<4x25x57xf32>) -> tensor<4x25x32xf32>
    %367 = stablehlo.slice %362 [0:4, 0:25, 32:57] : (tensor<4x25x57xf32>) -> tensor<4x25x25xf32>
    %368 = stablehlo.dot_general %366, %331, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %cst_76 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %369 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<4x25x32xf32>
    %370 = stablehlo.add %369, %368 : tensor<4x25x32xf32>
    %371 = stablehlo.dot_general %367, %327, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x25xf32>, tensor<4x25x32xf32>) -> tensor<4x25x32xf32>
    %372 = stablehlo.add %370, %371 : tensor<4x25x32xf32>
    %373 = stablehlo.transpose %372, dims = [1, 0, 2] : (tensor<4x25x32xf32>) -> tensor<25x4x32xf32>
    %374 = stablehlo.reshape %373 : (tensor<25x4x32xf32>) -> tensor<25x128xf32>
    %375 = stablehlo.dot_general %374, %$expert3.out, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x128xf32>, tensor<128x96xf32>) -> tensor<25x96xf32>
    %376 = stablehlo.add %304, %375 : tensor<25x96xf32>
    %377 = stablehlo.multiply %376, %376 : tensor<25x96xf32>
    %cst_77 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %378 = stablehlo.reduce(%377 init: %cst_77) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %379 = stablehlo.broadcast_in_dim %378, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_78 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %380 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %381 = stablehlo.divide %379, %380 : tensor<25x1xf32>
    %cst_79 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %382 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %383 = stablehlo.add %381, %382 : tensor<25x1xf32>
    %384 = stablehlo.rsqrt %383 : tensor<25x1xf32>
    %385 = stablehlo.divide %384, %383 : tensor<25x1xf32>
    %cst_80 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %386 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %387 = stablehlo.multiply %386, %385 : tensor<25x1xf32>
    %388 = stablehlo.broadcast_in_dim %384, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %389 = stablehlo.multiply %376, %388 : tensor<25x96xf32>
    %390 = stablehlo.dot_general %389, %$expert3.up, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x384xf32>) -> tensor<25x384xf32>
    %391 = stablehlo.slice %390 [0:25, 0:192] : (tensor<25x384xf32>) -> tensor<25x192xf32>
    %392 = stablehlo.slice %390 [0:25, 192:384] : (tensor<25x384xf32>) -> tensor<25x192xf32>
    %393:3 = call @step_vjp$silu_0(%391) : (tensor<25x192xf32>) -> (tensor<25x192xf32>, tensor<25x192xf32>, tensor<25x192xf32>)
    %394 = stablehlo.multiply %393#0, %392 : tensor<25x192xf32>
    %395 = stablehlo.dot_general %394, %$expert3.down, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x192xf32>, tensor<192x96xf32>) -> tensor<25x96xf32>
    %396 = stablehlo.add %376, %395 : tensor<25x96xf32>
    %397 = stablehlo.slice %396 [1:25, 0:96] : (tensor<25x96xf32>) -> tensor<24x96xf32>
    %398 = stablehlo.multiply %397, %397 : tensor<24x96xf32>
    %cst_81 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %399 = stablehlo.reduce(%398 init: %cst_81) applies stablehlo.add across dimensions = [1] : (tensor<24x96xf32>, tensor<f32>) -> tensor<24xf32>
    %400 = stablehlo.broadcast_in_dim %399, dims = [0] : (tensor<24xf32>) -> tensor<24x1xf32>
    %cst_82 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %401 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<24x1xf32>
    %402 = stablehlo.divide %400, %401 : tensor<24x1xf32>
    %cst_83 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %403 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<24x1xf32>
    %404 = stablehlo.add %402, %403 : tensor<24x1xf32>
    %405 = stablehlo.rsqrt %404 : tensor<24x1xf32>
    %406 = stablehlo.divide %405, %404 : tensor<24x1xf32>
    %cst_84 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %407 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<24x1xf32>
    %408 = stablehlo.multiply %407, %406 : tensor<24x1xf32>
    %409 = stablehlo.broadcast_in_dim %405, dims = [0, 1] : (tensor<24x1xf32>) -> tensor<24x96xf32>
    %410 = stablehlo.multiply %397, %409 : tensor<24x96xf32>
    %411 = stablehlo.dot_general %410, %$action_out, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24x96xf32>, tensor<96x4xf32>) -> tensor<24x4xf32>
    %cst_85 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %412 = stablehlo.subtract %cst_85, %arg3 : tensor<f32>
    %413 = stablehlo.broadcast_in_dim %412, dims = [] : (tensor<f32>) -> tensor<24x4xf32>
    %414 = stablehlo.multiply %413, %411 : tensor<24x4xf32>
    %415 = stablehlo.add %arg2, %414 : tensor<24x4xf32>
    %416 = stablehlo.subtract %arg5, %415 : tensor<24x4xf32>
    %417 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<24x1xf32>) -> tensor<24x4xf32>
    %418 = stablehlo.multiply %416, %417 : tensor<24x4xf32>
    %419 = stablehlo.broadcast_in_dim %412, dims = [] : (tensor<f32>) -> tensor<24x4xf32>
    %420 = stablehlo.multiply %419, %418 : tensor<24x4xf32>
    %421 = stablehlo.dot_general %420, %$action_out, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<24x4xf32>, tensor<96x4xf32>) -> tensor<24x96xf32>
    %422 = stablehlo.multiply %397, %421 : tensor<24x96xf32>
    %cst_86 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %423 = stablehlo.reduce(%422 init: %cst_86) applies stablehlo.add across dimensions = [1] : (tensor<24x96xf32>, tensor<f32>) -> tensor<24xf32>
    %424 = stablehlo.reshape %423 : (tensor<24xf32>) -> tensor<24x1xf32>
    %425 = stablehlo.broadcast_in_dim %405, dims = [0, 1] : (tensor<24x1xf32>) -> tensor<24x96xf32>
    %426 = stablehlo.multiply %421, %425 : tensor<24x96xf32>
    %427 = stablehlo.multiply %424, %408 : tensor<24x1xf32>
    %cst_87 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %428 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f32>) -> tensor<24x1xf32>
    %429 = stablehlo.divide %427, %428 : tensor<24x1xf32>
    %cst_88 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %430 = stablehlo.reduce(%429 init: %cst_88) applies stablehlo.add across dimensions = [1] : (tensor<24x1xf32>, tensor<f32>) -> tensor<24xf32>
    %431 = stablehlo.broadcast_in_dim %430, dims = [0] : (tensor<24xf32>) -> tensor<24x96xf32>
    %432 = stablehlo.multiply %397, %431 : tensor<24x96xf32>
    %433 = stablehlo.add %426, %432 : tensor<24x96xf32>
    %434 = stablehlo.multiply %431, %397 : tensor<24x96xf32>
    %435 = stablehlo.add %433, %434 : tensor<24x96xf32>
    %cst_89 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %436 = stablehlo.pad %435, %cst_89, low = [1, 0], high = [0, 0], interior = [0, 0] : (tensor<24x96xf32>, tensor<f32>) -> tensor<25x96xf32>
    %437 = stablehlo.dot_general %436, %$expert3.down, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<192x96xf32>) -> tensor<25x192xf32>
    %438 = stablehlo.multiply %393#0, %437 : tensor<25x192xf32>
    %439 = stablehlo.multiply %437, %392 : tensor<25x192xf32>
    %440 = call @step_vjp$silu_1(%393#1, %393#2, %391, %439) : (tensor<25x192xf32>, tensor<25x192xf32>, tensor<25x192xf32>, tensor<25x192xf32>) -> tensor<25x192xf32>
    %441 = stablehlo.concatenate %440, %438, dim = 1 : (tensor<25x192xf32>, tensor<25x192xf32>) -> tensor<25x384xf32>
    %442 = stablehlo.dot_general %441, %$expert3.up, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<25x384xf32>, tensor<96x384xf32>) -> tensor<25x96xf32>
    %443 = stablehlo.multiply %376, %442 : tensor<25x96xf32>
    %cst_90 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %444 = stablehlo.reduce(%443 init: %cst_90) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %445 = stablehlo.reshape %444 : (tensor<25xf32>) -> tensor<25x1xf32>
    %446 = stablehlo.broadcast_in_dim %384, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %447 = stablehlo.multiply %442, %446 : tensor<25x96xf32>
    %448 = stablehlo.add %436, %447 : tensor<25x96xf32>
    %449 = stablehlo.multiply %445, %387 : tensor<25x1xf32>
    %cst_91 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %450 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %451 = stablehlo.divide %449, %450 : tensor<25x1xf32>
    %cst_92 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %452 = stablehlo.reduce(%451 init: %cst_92) applies stablehlo.add across dimensions = [1] : (tensor<25x1xf32>, tensor<f32>) -> tensor<25xf32>
    %453 = stablehlo.broadcast_in_dim %452, dims = [0] : (tensor<25xf32>) -> tensor<25x96xf32>
    %454 = stablehlo.multiply %376, %453 : tensor<25x96xf32>
    %455 = stablehlo.add %448, %454 : tensor<25x96xf32>
    %456 = stablehlo.multiply %453, %376 : tensor<25x96xf32>
    %457 = stablehlo.add %455, %456 : tensor<25x96xf32>
    %458 = stablehlo.dot_general %457, %$expert3.out, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<128x96xf32>) -> tensor<25x128xf32>
    %459 = stablehlo.reshape %458 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %460 = stablehlo.transpose %459, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %461 = stablehlo.dot_general %460, %367, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x25x25xf32>) -> tensor<4x32x25xf32>
    %462 = stablehlo.transpose %461, dims = [0, 2, 1] : (tensor<4x32x25xf32>) -> tensor<4x25x32xf32>
    %463 = stablehlo.dot_general %460, %327, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x25x32xf32>) -> tensor<4x25x25xf32>
    %464 = stablehlo.dot_general %460, %331, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %465 = stablehlo.concatenate %464, %463, dim = 2 : (tensor<4x25x32xf32>, tensor<4x25x25xf32>) -> tensor<4x25x57xf32>
    %466 = stablehlo.broadcast_in_dim %365, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %467 = stablehlo.multiply %465, %466 : tensor<4x25x57xf32>
    %468 = stablehlo.multiply %467, %358 : tensor<4x25x57xf32>
    %cst_93 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %469 = stablehlo.reduce(%468 init: %cst_93) applies stablehlo.add across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %470 = stablehlo.reshape %469 : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %471 = stablehlo.negate %470 : tensor<4x25x1xf32>
    %472 = stablehlo.broadcast_in_dim %360, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %473 = stablehlo.divide %465, %472 : tensor<4x25x57xf32>
    %cst_94 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %474 = stablehlo.reduce(%471 init: %cst_94) applies stablehlo.add across dimensions = [2] : (tensor<4x25x1xf32>, tensor<f32>) -> tensor<4x25xf32>
    %475 = stablehlo.broadcast_in_dim %474, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x57xf32>
    %476 = stablehlo.add %473, %475 : tensor<4x25x57xf32>
    %477 = stablehlo.multiply %476, %358 : tensor<4x25x57xf32>
    %cst_95 = stablehlo.constant dense<0.176776692> : tensor<f32>
    %478 = stablehlo.broadcast_in_dim %cst_95, dims = [] : (tensor<f32>) -> tensor<4x25x57xf32>
    %479 = stablehlo.multiply %477, %478 : tensor<4x25x57xf32>
    %480 = stablehlo.slice %479 [0:4, 0:25, 0:32] : (tensor<4x25x57xf32>) -> tensor<4x25x32xf32>
    %481 = stablehlo.slice %479 [0:4, 0:25, 32:57] : (tensor<4x25x57xf32>) -> tensor<4x25x25xf32>
    %482 = stablehlo.dot_general %481, %323, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x25xf32>, tensor<4x25x32xf32>) -> tensor<4x25x32xf32>
    %483 = stablehlo.dot_general %481, %325, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x25xf32>, tensor<4x25x32xf32>) -> tensor<4x25x32xf32>
    %484 = stablehlo.dot_general %480, %329, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %485 = stablehlo.add %483, %484 : tensor<4x25x32xf32>
    %486 = stablehlo.transpose %462, dims = [1, 0, 2] : (tensor<4x25x32xf32>) -> tensor<25x4x32xf32>
    %487 = stablehlo.reshape %486 : (tensor<25x4x32xf32>) -> tensor<25x128xf32>
    %488 = stablehlo.transpose %482, dims = [1, 0, 2] : (tensor<4x25x32xf32>) -> tensor<25x4x32xf32>
    %489 = stablehlo.reshape %488 : (tensor<25x4x32xf32>) -> tensor<25x128xf32>
    %490 = stablehlo.transpose %485, dims = [1, 0, 2] : (tensor<4x25x32xf32>) -> tensor<25x4x32xf32>
    %491 = stablehlo.reshape %490 : (tensor<25x4x32xf32>) -> tensor<25x128xf32>
    %492 = stablehlo.concatenate %491, %489, %487, dim = 1 : (tensor<25x128xf32>, tensor<25x128xf32>, tensor<25x128xf32>) -> tensor<25x384xf32>
    %493 = stablehlo.dot_general %492, %$expert3.qkv, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<25x384xf32>, tensor<96x384xf32>) -> tensor<25x96xf32>
    %494 = stablehlo.multiply %304, %493 : tensor<25x96xf32>
    %cst_96 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %495 = stablehlo.reduce(%494 init: %cst_96) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %496 = stablehlo.reshape %495 : (tensor<25xf32>) -> tensor<25x1xf32>
    %497 = stablehlo.broadcast_in_dim %312, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %498 = stablehlo.multiply %493, %497 : tensor<25x96xf32>
    %499 = stablehlo.add %457, %498 : tensor<25x96xf32>
    %500 = stablehlo.multiply %496, %315 : tensor<25x1xf32>
    %cst_97 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %501 = stablehlo.broadcast_in_dim %cst_97, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %502 = stablehlo.divide %500, %501 : tensor<25x1xf32>
    %cst_98 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %503 = stablehlo.reduce(%502 init: %cst_98) applies stablehlo.add across dimensions = [1] : (tensor<25x1xf32>, tensor<f32>) -> tensor<25xf32>
    %504 = stablehlo.broadcast_in_dim %503, dims = [0] : (tensor<25xf32>) -> tensor<25x96xf32>
    %505 = stablehlo.multiply %304, %504 : tensor<25x96xf32>
    %506 = stablehlo.add %499, %505 : tensor<25x96xf32>
    %507 = stablehlo.multiply %504, %304 : tensor<25x96xf32>
    %508 = stablehlo.add %506, %507 : tensor<25x96xf32>
    %509 = stablehlo.dot_general %508, %$expert2.down, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<192x96xf32>) -> tensor<25x192xf32>
    %510 = stablehlo.multiply %301#0, %509 : tensor<25x192xf32>
    %511 = stablehlo.multiply %509, %300 : tensor<25x192xf32>
    %512 = call @step_vjp$silu_1(%301#1, %301#2, %299, %511) : (tensor<25x192xf32>, tensor<25x192xf32>, tensor<25x192xf32>, tensor<25x192xf32>) -> tensor<25x192xf32>
    %513 = stablehlo.concatenate %512, %510, dim = 1 : (tensor<25x192xf32>, tensor<25x192xf32>) -> tensor<25x384xf32>
    %514 = stablehlo.dot_general %513, %$expert2.up, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<25x384xf32>, tensor<96x384xf32>) -> tensor<25x96xf32>
    %515 = stablehlo.multiply %284, %514 : tensor<25x96xf32>
    %cst_99 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %516 = stablehlo.reduce(%515 init: %cst_99) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %517 = stablehlo.reshape %516 : (tensor<25xf32>) -> tensor<25x1xf32>
    %518 = stablehlo.broadcast_in_dim %292, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %519 = stablehlo.multiply %514, %518 : tensor<25x96xf32>
    %520 = stablehlo.add %508, %519 : tensor<25x96xf32>
    %521 = stablehlo.multiply %517, %295 : tensor<25x1xf32>
    %cst_100 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %522 = stablehlo.broadcast_in_dim %cst_100, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %523 = stablehlo.divide %521, %522 : tensor<25x1xf32>
    %cst_101 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %524 = stablehlo.reduce(%523 init: %cst_101) applies stablehlo.add across dimensions = [1] : (tensor<25x1xf32>, tensor<f32>) -> tensor<25xf32>
    %525 = stablehlo.broadcast_in_dim %524, dims = [0] : (tensor<25xf32>) -> tensor<25x96xf32>
    %526 = stablehlo.multiply %284, %525 : tensor<25x96xf32>
    %527 = stablehlo.add %520, %526 : tensor<25x96xf32>
    %528 = stablehlo.multiply %525, %284 : tensor<25x96xf32>
    %529 = stablehlo.add %527, %528 : tensor<25x96xf32>
    %530 = stablehlo.dot_general %529, %$expert2.out, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<128x96xf32>) -> tensor<25x128xf32>
    %531 = stablehlo.reshape %530 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %532 = stablehlo.transpose %531, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %533 = stablehlo.dot_general %532, %275, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x25x25xf32>) -> tensor<4x32x25xf32>
    %534 = stablehlo.transpose %533, dims = [0, 2, 1] : (tensor<4x32x25xf32>) -> tensor<4x25x32xf32>
    %535 = stablehlo.dot_general %532, %235, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x25x32xf32>) -> tensor<4x25x25xf32>
    %536 = stablehlo.dot_general %532, %239, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %537 = stablehlo.concatenate %536, %535, dim = 2 : (tensor<4x25x32xf32>, tensor<4x25x25xf32>) -> tensor<4x25x57xf32>
    %538 = stablehlo.broadcast_in_dim %273, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %539 = stablehlo.multiply %537, %538 : tensor<4x25x57xf32>
    %540 = stablehlo.multiply %539, %266 : tensor<4x25x57xf32>
    %cst_102 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %541 = stablehlo.reduce(%540 init: %cst_102) applies stablehlo.add across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %542 = stablehlo.reshape %541 : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %543 = stablehlo.negate %542 : tensor<4x25x1xf32>
    %544 = stablehlo.broadcast_in_dim %268, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %545 = stablehlo.divide %537, %544 : tensor<4x25x57xf32>
    %cst_103 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %546 = stablehlo.reduce(%543 init: %cst_103) applies stablehlo.add across dimensions = [2] : (tensor<4x25x1xf32>, tensor<f32>) -> tensor<4x25xf32>
    %547 = stablehlo.broadcast_in_dim %546, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x57xf32>
    %548 = stablehlo.add %545, %547 : tensor<4x25x57xf32>
    %549 = stablehlo.multiply %548, %266 : tensor<4x25x57xf32>
    %cst_104 = stablehlo.constant dense<0.176776692> : tensor<f32>
    %550 = stablehlo.broadcast_in_dim %cst_104, dims = [] : (tensor<f32>) -> tensor<4x25x57xf32>
    %551 = stablehlo.multiply %549, %550 : tensor<4x25x57xf32>
    %552 = stablehlo.slice %551 [0:4, 0:25, 0:32] : (tensor<4x25x57xf32>) -> tensor<4x25x32xf32>
    %553 = stablehlo.slice %551 [0:4, 0:25, 32:57] : (tensor<4x25x57xf32>) -> tensor<4x25x25xf32>
    %554 = stablehlo.dot_general %553, %231, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x25xf32>, tensor<4x25x32xf32>) -> tensor<4x25x32xf32>
    %555 = stablehlo.dot_general %553, %233, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x25xf32>, tensor<4x25x32xf32>) -> tensor<4x25x32xf32>
    %556 = stablehlo.dot_general %552, %237, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %557 = stablehlo.add %555, %556 : tensor<4x25x32xf32>
    %558 = stablehlo.transpose %534, dims = [1, 0, 2] : (tensor<4x25x32xf32>) -> tensor<25x4x32xf32>
    %559 = stablehlo.reshape %558 : (tensor<25x4x32xf32>) -> tensor<25x128xf32>
    %560 = stablehlo.transpose %554, dims = [1, 0, 2] : (tensor<4x25x32xf32>) -> tensor<25x4x32xf32>
    %561 = stablehlo.reshape %560 : (tensor<25x4x32xf32>) -> tensor<25x128xf32>
    %562 = stablehlo.transpose %557, dims = [1, 0, 2] : (tensor<4x25x32xf32>) -> tensor<25x4x32xf32>
    %563 = stablehlo.reshape %562 : (tensor<25x4x32xf32>) -> tensor<25x128xf32>
    %564 = stablehlo.concatenate %563, %561, %559, dim = 1 : (tensor<25x128xf32>, tensor<25x128xf32>, tensor<25x128xf32>) -> tensor<25x384xf32>
    %565 = stablehlo.dot_general %564, %$expert2.qkv, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<25x384xf32>, tensor<96x384xf32>) -> tensor<25x96xf32>
    %566 = stablehlo.multiply %212, %565 : tensor<25x96xf32>
    %cst_105 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %567 = stablehlo.reduce(%566 init: %cst_105) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %568 = stablehlo.reshape %567 : (tensor<25xf32>) -> tensor<25x1xf32>
    %569 = stablehlo.broadcast_in_dim %220, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %570 = stablehlo.multiply %565, %569 : tensor<25x96xf32>
    %571 = stablehlo.add %529, %570 : tensor<25x96xf32>
    %572 = stablehlo.multiply %568, %223 : tensor<25x1xf32>
    %cst_106 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %573 = stablehlo.broadcast_in_dim %cst_106, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %574 = stablehlo.divide %572, %573 : tensor<25x1xf32>
    %cst_107 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %575 = stablehlo.reduce(%574 init: %cst_107) applies stablehlo.add across dimensions = [1] : (tensor<25x1xf32>, tensor<f32>) -> tensor<25xf32>
    %576 = stablehlo.broadcast_in_dim %575, dims = [0] : (tensor<25xf32>) -> tensor<25x96xf32>
    %577 = stablehlo.multiply %212, %576 : tensor<25x96xf32>
    %578 = stablehlo.add %571, %577 : tensor<25x96xf32>
    %579 = stablehlo.multiply %576, %212 : tensor<25x96xf32>
    %580 = stablehlo.add %578, %579 : tensor<25x96xf32>
    %581 = stablehlo.dot_general %580, %$expert1.down, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<192x96xf32>) -> tensor<25x192xf32>
    %582 = stablehlo.multiply %209#0, %581 : tensor<25x192xf32>
    %583 = stablehlo.multiply %581, %208 : tensor<25x192xf32>
    %584 = call @step_vjp$silu_1(%209#1, %209#2, %207, %583) : (tensor<25x192xf32>, tensor<25x192xf32>, tensor<25x192xf32>, tensor<25x192xf32>) -> tensor<25x192xf32>
    %585 = stablehlo.concatenate %584, %582, dim = 1 : (tensor<25x192xf32>, tensor<25x192xf32>) -> tensor<25x384xf32>
    %586 = stablehlo.dot_general %585, %$expert1.up, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<25x384xf32>, tensor<96x384xf32>) -> tensor<25x96xf32>
    %587 = stablehlo.multiply %192, %586 : tensor<25x96xf32>
    %cst_108 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %588 = stablehlo.reduce(%587 init: %cst_108) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %589 = stablehlo.reshape %588 : (tensor<25xf32>) -> tensor<25x1xf32>
    %590 = stablehlo.broadcast_in_dim %200, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %591 = stablehlo.multiply %586, %590 : tensor<25x96xf32>
    %592 = stablehlo.add %580, %591 : tensor<25x96xf32>
    %593 = stablehlo.multiply %589, %203 : tensor<25x1xf32>
    %cst_109 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %594 = stablehlo.broadcast_in_dim %cst_109, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %595 = stablehlo.divide %593, %594 : tensor<25x1xf32>
    %cst_110 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %596 = stablehlo.reduce(%595 init: %cst_110) applies stablehlo.add across dimensions = [1] : (tensor<25x1xf32>, tensor<f32>) -> tensor<25xf32>
    %597 = stablehlo.broadcast_in_dim %596, dims = [0] : (tensor<25xf32>) -> tensor<25x96xf32>
    %598 = stablehlo.multiply %192, %597 : tensor<25x96xf32>
    %599 = stablehlo.add %592, %598 : tensor<25x96xf32>
    %600 = stablehlo.multiply %597, %192 : tensor<25x96xf32>
    %601 = stablehlo.add %599, %600 : tensor<25x96xf32>
    %602 = stablehlo.dot_general %601, %$expert1.out, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<128x96xf32>) -> tensor<25x128xf32>
    %603 = stablehlo.reshape %602 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %604 = stablehlo.transpose %603, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %605 = stablehlo.dot_general %604, %183, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x25x25xf32>) -> tensor<4x32x25xf32>
    %606 = stablehlo.transpose %605, dims = [0, 2, 1] : (tensor<4x32x25xf32>) -> tensor<4x25x32xf32>
    %607 = stablehlo.dot_general %604, %143, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x25x32xf32>) -> tensor<4x25x25xf32>
    %608 = stablehlo.dot_general %604, %147, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %609 = stablehlo.concatenate %608, %607, dim = 2 : (tensor<4x25x32xf32>, tensor<4x25x25xf32>) -> tensor<4x25x57xf32>
    %610 = stablehlo.broadcast_in_dim %181, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %611 = stablehlo.multiply %609, %610 : tensor<4x25x57xf32>
    %612 = stablehlo.multiply %611, %174 : tensor<4x25x57xf32>
    %cst_111 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %613 = stablehlo.reduce(%612 init: %cst_111) applies stablehlo.add across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %614 = stablehlo.reshape %613 : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %615 = stablehlo.negate %614 : tensor<4x25x1xf32>
    %616 = stablehlo.broadcast_in_dim %176, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %617 = stablehlo.divide %609, %616 : tensor<4x25x57xf32>
    %cst_112 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %618 = stablehlo.reduce(%615 init: %cst_112) applies stablehlo.add across dimensions = [2] : (tensor<4x25x1xf32>, tensor<f32>) -> tensor<4x25xf32>
    %619 = stablehlo.broadcast_in_dim %618, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x57xf32>
    %620 = stablehlo.add %617, %619 : tensor<4x25x57xf32>
    %621 = stablehlo.multiply %620, %174 : tensor<4x25x57xf32>
    %cst_113 = stablehlo.constant dense<0.176776692> : tensor<f32>
    %622 = stablehlo.broadcast_in_dim %cst_113, dims = [] : (tensor<f32>) -> tensor<4x25x57xf32>
    %623 = stablehlo.multiply %621, %622 : tensor<4x25x57xf32>
    %624 = stablehlo.slice %623 [0:4, 0:25, 0:32] : (tensor<4x25x57xf32>) -> tensor<4x25x32xf32>
    %625 = stablehlo.slice %623 [0:4, 0:25, 32:57] : (tensor<4x25x57xf32>) -> tensor<4x25x25xf32>
    %626 = stablehlo.dot_general %625, %139, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x25xf32>, tensor<4x25x32xf32>) -> tensor<4x25x32xf32>
    %627 = stablehlo.dot_general %625, %141, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x25xf32>, tensor<4x25x32xf32>) -> tensor<4x25x32xf32>
    %628 = stablehlo.dot_general %624, %145, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %629 = stablehlo.add %627, %628 : tensor<4x25x32xf32>
    %630 = stablehlo.transpose %606, dims = [1, 0, 2] : (tensor<4x25x32xf32>) -> tensor<25x4x32xf32>
    %631 = stablehlo.reshape %630 : (tensor<25x4x32xf32>) -> tensor<25x128xf32>
    %632 = stablehlo.transpose %626, dims = [1, 0, 2] : (tensor<4x25x32xf32>) -> tensor<25x4x32xf32>
    %633 = stablehlo.reshape %632 : (tensor<25x4x32xf32>) -> tensor<25x128xf32>
    %634 = stablehlo.transpose %629, dims = [1, 0, 2] : (tensor<4x25x32xf32>) -> tensor<25x4x32xf32>
    %635 = stablehlo.reshape %634 : (tensor<25x4x32xf32>) -> tensor<25x128xf32>
    %636 = stablehlo.concatenate %635, %633, %631, dim = 1 : (tensor<25x128xf32>, tensor<25x128xf32>, tensor<25x128xf32>) -> tensor<25x384xf32>
    %637 = stablehlo.dot_general %636, %$expert1.qkv, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<25x384xf32>, tensor<96x384xf32>) -> tensor<25x96xf32>
    %638 = stablehlo.multiply %120, %637 : tensor<25x96xf32>
    %cst_114 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %639 = stablehlo.reduce(%638 init: %cst_114) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %640 = stablehlo.reshape %639 : (tensor<25xf32>) -> tensor<25x1xf32>
    %641 = stablehlo.broadcast_in_dim %128, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %642 = stablehlo.multiply %637, %641 : tensor<25x96xf32>
    %643 = stablehlo.add %601, %642 : tensor<25x96xf32>
    %644 = stablehlo.multiply %640, %131 : tensor<25x1xf32>
    %cst_115 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %645 = stablehlo.broadcast_in_dim %cst_115, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %646 = stablehlo.divide %644, %645 : tensor<25x1xf32>
    %cst_116 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %647 = stablehlo.reduce(%646 init: %cst_116) applies stablehlo.add across dimensions = [1] : (tensor<25x1xf32>, tensor<f32>) -> tensor<25xf32>
    %648 = stablehlo.broadcast_in_dim %647, dims = [0] : (tensor<25xf32>) -> tensor<25x96xf32>
    %649 = stablehlo.multiply %120, %648 : tensor<25x96xf32>
    %650 = stablehlo.add %643, %649 : tensor<25x96xf32>
    %651 = stablehlo.multiply %648, %120 : tensor<25x96xf32>
    %652 = stablehlo.add %650, %651 : tensor<25x96xf32>
    %653 = stablehlo.dot_general %652, %$expert0.down, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<192x96xf32>) -> tensor<25x192xf32>
    %654 = stablehlo.multiply %117#0, %653 : tensor<25x192xf32>
    %655 = stablehlo.multiply %653, %116 : tensor<25x192xf32>
    %656 = call @step_vjp$silu_1(%117#1, %117#2, %115, %655) : (tensor<25x192xf32>, tensor<25x192xf32>, tensor<25x192xf32>, tensor<25x192xf32>) -> tensor<25x192xf32>
    %657 = stablehlo.concatenate %656, %654, dim = 1 : (tensor<25x192xf32>, tensor<25x192xf32>) -> tensor<25x384xf32>
    %658 = stablehlo.dot_general %657, %$expert0.up, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<25x384xf32>, tensor<96x384xf32>) -> tensor<25x96xf32>
    %659 = stablehlo.multiply %100, %658 : tensor<25x96xf32>
    %cst_117 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %660 = stablehlo.reduce(%659 init: %cst_117) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %661 = stablehlo.reshape %660 : (tensor<25xf32>) -> tensor<25x1xf32>
    %662 = stablehlo.broadcast_in_dim %108, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %663 = stablehlo.multiply %658, %662 : tensor<25x96xf32>
    %664 = stablehlo.add %652, %663 : tensor<25x96xf32>
    %665 = stablehlo.multiply %661, %111 : tensor<25x1xf32>
    %cst_118 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %666 = stablehlo.broadcast_in_dim %cst_118, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %667 = stablehlo.divide %665, %666 : tensor<25x1xf32>
    %cst_119 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %668 = stablehlo.reduce(%667 init: %cst_119) applies stablehlo.add across dimensions = [1] : (tensor<25x1xf32>, tensor<f32>) -> tensor<25xf32>
    %669 = stablehlo.broadcast_in_dim %668, dims = [0] : (tensor<25xf32>) -> tensor<25x96xf32>
    %670 = stablehlo.multiply %100, %669 : tensor<25x96xf32>
    %671 = stablehlo.add %664, %670 : tensor<25x96xf32>
    %672 = stablehlo.multiply %669, %100 : tensor<25x96xf32>
    %673 = stablehlo.add %671, %672 : tensor<25x96xf32>
    %674 = stablehlo.dot_general %673, %$expert0.out, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<128x96xf32>) -> tensor<25x128xf32>
    %675 = stablehlo.reshape %674 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %676 = stablehlo.transpose %675, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %677 = stablehlo.dot_general %676, %91, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x25x25xf32>) -> tensor<4x32x25xf32>
    %678 = stablehlo.transpose %677, dims = [0, 2, 1] : (tensor<4x32x25xf32>) -> tensor<4x25x32xf32>
    %679 = stablehlo.dot_general %676, %51, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x25x32xf32>) -> tensor<4x25x25xf32>
    %680 = stablehlo.dot_general %676, %55, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %681 = stablehlo.concatenate %680, %679, dim = 2 : (tensor<4x25x32xf32>, tensor<4x25x25xf32>) -> tensor<4x25x57xf32>
    %682 = stablehlo.broadcast_in_dim %89, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %683 = stablehlo.multiply %681, %682 : tensor<4x25x57xf32>
    %684 = stablehlo.multiply %683, %82 : tensor<4x25x57xf32>
    %cst_120 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %685 = stablehlo.reduce(%684 init: %cst_120) applies stablehlo.add across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %686 = stablehlo.reshape %685 : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %687 = stablehlo.negate %686 : tensor<4x25x1xf32>
    %688 = stablehlo.broadcast_in_dim %84, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %689 = stablehlo.divide %681, %688 : tensor<4x25x57xf32>
    %cst_121 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %690 = stablehlo.reduce(%687 init: %cst_121) applies stablehlo.add across dimensions = [2] : (tensor<4x25x1xf32>, tensor<f32>) -> tensor<4x25xf32>
    %691 = stablehlo.broadcast_in_dim %690, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x57xf32>
    %692 = stablehlo.add %689, %691 : tensor<4x25x57xf32>
    %693 = stablehlo.multiply %692, %82 : tensor<4x25x57xf32>
    %cst_122 = stablehlo.constant dense<0.176776692> : tensor<f32>
    %694 = stablehlo.broadcast_in_dim %cst_122, dims = [] : (tensor<f32>) -> tensor<4x25x57xf32>
    %695 = stablehlo.multiply %693, %694 : tensor<4x25x57xf32>
    %696 = stablehlo.slice %695 [0:4, 0:25, 0:32] : (tensor<4x25x57xf32>) -> tensor<4x25x32xf32>
    %697 = stablehlo.slice %695 [0:4, 0:25, 32:57] : (tensor<4x25x57xf32>) -> tensor<4x25x25xf32>
    %698 = stablehlo.dot_general %697, %47, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x25xf32>, tensor<4x25x32xf32>) -> tensor<4x25x32xf32>
    %699 = stablehlo.dot_general %697, %49, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x25xf32>, tensor<4x25x32xf32>) -> tensor<4x25x32xf32>
    %700 = stablehlo.dot_general %696, %53, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %701 = stablehlo.add %699, %700 : tensor<4x25x32xf32>
    %702 = stablehlo.transpose %678, dims = [1, 0, 2] : (tensor<4x25x32xf32>) -> tensor<25x4x32xf32>
    %703 = stablehlo.reshape %702 : (tensor<25x4x32xf32>) -> tensor<25x128xf32>
    %704 = stablehlo.transpose %698, dims = [1, 0, 2] : (tensor<4x25x32xf32>) -> tensor<25x4x32xf32>
    %705 = stablehlo.reshape %704 : (tensor<25x4x32xf32>) -> tensor<25x128xf32>
    %706 = stablehlo.transpose %701, dims = [1, 0, 2] : (tensor<4x25x32xf32>) -> tensor<25x4x32xf32>
    %707 = stablehlo.reshape %706 : (tensor<25x4x32xf32>) -> tensor<25x128xf32>
    %708 = stablehlo.concatenate %707, %705, %703, dim = 1 : (tensor<25x128xf32>, tensor<25x128xf32>, tensor<25x128xf32>) -> tensor<25x384xf32>
    %709 = stablehlo.dot_general %708, %$expert0.qkv, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<25x384xf32>, tensor<96x384xf32>) -> tensor<25x96xf32>
    %710 = stablehlo.multiply %28, %709 : tensor<25x96xf32>
    %cst_123 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %711 = stablehlo.reduce(%710 init: %cst_123) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %712 = stablehlo.reshape %711 : (tensor<25xf32>) -> tensor<25x1xf32>
    %713 = stablehlo.broadcast_in_dim %36, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %714 = stablehlo.multiply %709, %713 : tensor<25x96xf32>
    %715 = stablehlo.add %673, %714 : tensor<25x96xf32>
    %716 = stablehlo.multiply %712, %39 : tensor<25x1xf32>
    %cst_124 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %717 = stablehlo.broadcast_in_dim %cst_124, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %718 = stablehlo.divide %716, %717 : tensor<25x1xf32>
    %cst_125 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %719 = stablehlo.reduce(%718 init: %cst_125) applies stablehlo.add across dimensions = [1] : (tensor<25x1xf32>, tensor<f32>) -> tensor<25xf32>
    %720 = stablehlo.broadcast_in_dim %719, dims = [0] : (tensor<25xf32>) -> tensor<25x96xf32>
    %721 = stablehlo.multiply %28, %720 : tensor<25x96xf32>
    %722 = stablehlo.add %715, %721 : tensor<25x96xf32>
    %723 = stablehlo.multiply %720, %28 : tensor<25x96xf32>
    %724 = stablehlo.add %722, %723 : tensor<25x96xf32>
    %725 = stablehlo.slice %724 [0:1, 0:96] : (tensor<25x96xf32>) -> tensor<1x96xf32>
    %726 = stablehlo.slice %724 [1:25, 0:96] : (tensor<25x96xf32>) -> tensor<24x96xf32>
    %727 = stablehlo.dot_general %726, %$action_mix, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<24x96xf32>, tensor<96x96xf32>) -> tensor<24x96xf32>
    %728 = call @step_vjp$silu_2(%16#1, %16#2, %15, %727) : (tensor<24x96xf32>, tensor<24x96xf32>, tensor<24x96xf32>, tensor<24x96xf32>) -> tensor<24x96xf32>
    %729 = stablehlo.dot_general %728, %$action_in, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<24x96xf32>, tensor<4x96xf32>) -> tensor<24x4xf32>
    %730 = stablehlo.add %418, %729 : tensor<24x4xf32>
    %731 = stablehlo.multiply %arg3, %arg3 : tensor<f32>
    %cst_126 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %732 = stablehlo.subtract %cst_126, %arg3 : tensor<f32>
    %733 = stablehlo.multiply %732, %732 : tensor<f32>
    %734 = stablehlo.add %731, %733 : tensor<f32>
    %cst_127 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %735 = stablehlo.subtract %cst_127, %arg3 : tensor<f32>
    %736 = stablehlo.multiply %arg3, %735 : tensor<f32>
    %cst_128 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %737 = stablehlo.maximum %736, %cst_128 : tensor<f32>
    %738 = stablehlo.divide %734, %737 : tensor<f32>
    %739 = stablehlo.minimum %arg7, %738 : tensor<f32>
    %740 = stablehlo.broadcast_in_dim %739, dims = [] : (tensor<f32>) -> tensor<24x4xf32>
    %741 = stablehlo.multiply %740, %730 : tensor<24x4xf32>
    %742 = stablehlo.add %411, %741 : tensor<24x4xf32>
    %743 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<f32>) -> tensor<24x4xf32>
    %744 = stablehlo.multiply %743, %742 : tensor<24x4xf32>
    %745 = stablehlo.add %arg2, %744 : tensor<24x4xf32>
    %746 = stablehlo.add %arg3, %arg4 : tensor<f32>
    return %745, %746 : tensor<24x4xf32>, tensor<f32>
  }
  func.func private @step_vjp$silu(%arg0: tensor<24x96xf32>) -> (tensor<24x96xf32>, tensor<24x96xf32>, tensor<24x96xf32>) {
    %0 = stablehlo.negate %arg0 : tensor<24x96xf32>
    %1 = stablehlo.exponential %0 : tensor<24x96xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<24x96xf32>
    %3 = stablehlo.add %2, %1 : tensor<24x96xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<24x96xf32>
    %5 = stablehlo.divide %4, %3 : tensor<24x96xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<24x96xf32>
    %7 = stablehlo.subtract %6, %5 : tensor<24x96xf32>
    %8 = stablehlo.multiply %5, %7 : tensor<24x96xf32>
    %9 = stablehlo.multiply %arg0, %5 : tensor<24x96xf32>
    return %9, %8, %5 : tensor<24x96xf32>, tensor<24x96xf32>, tensor<24x96xf32>
  }
  func.func private @step_vjp$silu_0(%arg0: tensor<25x192xf32>) -> (tensor<25x192xf32>, tensor<25x192xf32>, tensor<25x192xf32>) {
    %0 = stablehlo.negate %arg0 : tensor<25x192xf32>
    %1 = stablehlo.exponential %0 : tensor<25x192xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<25x192xf32>
    %3 = stablehlo.add %2, %1 : tensor<25x192xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<25x192xf32>
    %5 = stablehlo.divide %4, %3 : tensor<25x192xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<25x192xf32>
    %7 = stablehlo.subtract %6, %5 : tensor<25x192xf32>
    %8 = stablehlo.multiply %5, %7 : tensor<25x192xf32>
    %9 = stablehlo.multiply %arg0, %5 : tensor<25x192xf32>
    return %9, %8, %5 : tensor<25x192xf32>, tensor<25x192xf32>, tensor<25x192xf32>
  }
  func.func private @step_vjp$silu_1(%arg0: tensor<25x192xf32>, %arg1: tensor<25x192xf32>, %arg2: tensor<25x192xf32>, %arg3: tensor<25x192xf32>) -> tensor<25x192xf32> {
    %0 = stablehlo.multiply %arg2, %arg3 : tensor<25x192xf32>
    %1 = stablehlo.multiply %arg3, %arg1 : tensor<25x192xf32>
    %2 = stablehlo.multiply %0, %arg0 : tensor<25x192xf32>
    %3 = stablehlo.add %1, %2 : tensor<25x192xf32>
    return %3 : tensor<25x192xf32>
  }
  func.func private @step_vjp$silu_2(%arg0: tensor<24x96xf32>, %arg1: tensor<24x96xf32>, %arg2: tensor<24x96xf32>, %arg3: tensor<24x96xf32>) -> tensor<24x96xf32> {
    %0 = stablehlo.multiply %arg2, %arg3 : tensor<24x96xf32>
    %1 = stablehlo.multiply %arg3, %arg1 : tensor<24x96xf32>
    %2 = stablehlo.multiply %0, %arg0 : tensor<24x96xf32>
    %3 = stablehlo.add %1, %2 : tensor<24x96xf32>
    return %3 : tensor<24x96xf32>
  }
  func.func public @step_trained(%arg0: tensor<4x2x4x32x32xf32>, %arg1: tensor<8xf32>, %arg2: tensor<24x4xf32>, %arg3: tensor<f32>, %arg4: tensor<f32>, %arg5: tensor<24x4xf32>, %arg6: tensor<24xf32>, %arg7: tensor<f32>, %arg8: tensor<24x4xf32> {iree.abi.output = 0 : index}, %arg9: tensor<f32> {iree.abi.output = 1 : index}, %arg10: !hal.buffer {iree.abi.transients}) -> (tensor<24x4xf32>, tensor<f32>) attributes {iree.reflection = {polyrhythm.inputs = "kv,proprio,x,t,dt,target,weights,beta", polyrhythm.outputs = "x,t"}} {
    %0:8 = util.optimization_barrier %arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7 : tensor<4x2x4x32x32xf32>, tensor<8xf32>, tensor<24x4xf32>, tensor<f32>, tensor<f32>, tensor<24x4xf32>, tensor<24xf32>, tensor<f32>
    %$action_bias = util.global.load @"$action_bias" : tensor<96xf32>
    %$action_in = util.global.load @"$action_in" : tensor<4x96xf32>
    %$action_mix = util.global.load @"$action_mix" : tensor<96x96xf32>
    %$action_out = util.global.load @"$action_out" : tensor<96x4xf32>
    %$clock = util.global.load @"$clock" : tensor<96x96xf32>
    %$expert0.down = util.global.load @"$expert0.down" : tensor<192x96xf32>
    %$expert0.out = util.global.load @"$expert0.out" : tensor<128x96xf32>
    %$expert0.qkv = util.global.load @"$expert0.qkv" : tensor<96x384xf32>
    %$expert0.up = util.global.load @"$expert0.up" : tensor<96x384xf32>
    %$expert1.down = util.global.load @"$expert1.down" : tensor<192x96xf32>
    %$expert1.out = util.global.load @"$expert1.out" : tensor<128x96xf32>
    %$expert1.qkv = util.global.load @"$expert1.qkv" : tensor<96x384xf32>
    %$expert1.up = util.global.load @"$expert1.up" : tensor<96x384xf32>
    %$expert2.down = util.global.load @"$expert2.down" : tensor<192x96xf32>
    %$expert2.out = util.global.load @"$expert2.out" : tensor<128x96xf32>
    %$expert2.qkv = util.global.load @"$expert2.qkv" : tensor<96x384xf32>
    %$expert2.up = util.global.load @"$expert2.up" : tensor<96x384xf32>
    %$expert3.down = util.global.load @"$expert3.down" : tensor<192x96xf32>
    %$expert3.out = util.global.load @"$expert3.out" : tensor<128x96xf32>
    %$expert3.qkv = util.global.load @"$expert3.qkv" : tensor<96x384xf32>
    %$expert3.up = util.global.load @"$expert3.up" : tensor<96x384xf32>
    %$motion_mean = util.global.load @"$motion_mean" : tensor<8xf32>
    %$motion_std = util.global.load @"$motion_std" : tensor<8xf32>
    %$state_in = util.global.load @"$state_in" : tensor<8x96xf32>
    %$suffix_position = util.global.load @"$suffix_position" : tensor<25x96xf32>
    %cst = stablehlo.constant dense<[1.000000e+00, 1.1029433, 1.21648395, 1.34171283, 1.47983325, 1.63217211, 1.80019331, 1.98551118, 2.18990636, 2.41534257, 2.66398597, 2.93822527, 3.24069595, 3.5743041, 3.94225478, 4.3480835, 4.79568958, 5.28937387, 5.83387947, 6.43443823, 7.09682083, 7.82739067, 8.63316822, 9.5218954, 10.5021105, 11.5832329, 12.7756491, 14.0908165, 15.5413723, 17.1412525, 18.9058304, 20.8520584, 22.9986382, 25.3661938, 27.9774742, 30.8575687, 34.0341492, 37.537735, 41.4019966, 45.6640549, 50.3648643, 55.5495872, 61.2680473, 67.57518, 74.5315933, 82.2041245, 90.6664886, 1.000000e+02]> : tensor<48xf32>
    %1 = stablehlo.broadcast_in_dim %arg6, dims = [0] : (tensor<24xf32>) -> tensor<24x1xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<24x1xf32>
    %3 = stablehlo.compare GE, %1, %2, FLOAT : (tensor<24x1xf32>, tensor<24x1xf32>) -> tensor<24x1xi1>
    %4 = call @step_trained$_where(%3, %arg5, %arg2) : (tensor<24x1xi1>, tensor<24x4xf32>, tensor<24x4xf32>) -> tensor<24x4xf32>
    %5 = stablehlo.reshape %3 : (tensor<24x1xi1>) -> tensor<24xi1>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = call @step_trained$_where_0(%5, %cst_1, %arg3) : (tensor<24xi1>, tensor<f32>, tensor<f32>) -> tensor<24xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<24xf32>) -> tensor<24x1xf32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [1] : (tensor<48xf32>) -> tensor<1x48xf32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<24x1xf32>) -> tensor<24x48xf32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x48xf32>) -> tensor<24x48xf32>
    %11 = stablehlo.multiply %9, %10 : tensor<24x48xf32>
    %12 = stablehlo.cosine %11 : tensor<24x48xf32>
    %13 = stablehlo.sine %11 : tensor<24x48xf32>
    %14 = stablehlo.concatenate %12, %13, dim = 1 : (tensor<24x48xf32>, tensor<24x48xf32>) -> tensor<24x96xf32>
    %15 = stablehlo.dot_general %14, %$clock, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24x96xf32>, tensor<96x96xf32>) -> tensor<24x96xf32>
    %16 = stablehlo.dot_general %4, %$action_in, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24x4xf32>, tensor<4x96xf32>) -> tensor<24x96xf32>
    %17 = stablehlo.add %16, %15 : tensor<24x96xf32>
    %18 = stablehlo.broadcast_in_dim %$action_bias, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<24x96xf32>
    %20 = stablehlo.add %17, %19 : tensor<24x96xf32>
    %21 = call @step_trained$silu(%20) : (tensor<24x96xf32>) -> tensor<24x96xf32>
    %22 = stablehlo.dot_general %21, %$action_mix, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24x96xf32>, tensor<96x96xf32>) -> tensor<24x96xf32>
    %23 = stablehlo.slice %arg1 [0:4] : (tensor<8xf32>) -> tensor<4xf32>
    %24 = stablehlo.slice %arg1 [4:8] : (tensor<8xf32>) -> tensor<4xf32>
    %25 = stablehlo.subtract %23, %24 : tensor<4xf32>
    %26 = stablehlo.concatenate %23, %25, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
    %27 = stablehlo.subtract %26, %$motion_mean : tensor<8xf32>
    %28 = stablehlo.divide %27, %$motion_std : tensor<8xf32>
    %29 = stablehlo.dot_general %28, %$state_in, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8xf32>, tensor<8x96xf32>) -> tensor<96xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %31 = stablehlo.concatenate %30, %22, dim = 0 : (tensor<1x96xf32>, tensor<24x96xf32>) -> tensor<25x96xf32>
    %32 = stablehlo.add %31, %$suffix_position : tensor<25x96xf32>
    %33 = stablehlo.multiply %32, %32 : tensor<25x96xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.reduce(%33 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_3 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %37 = stablehlo.divide %35, %36 : tensor<25x1xf32>
    %cst_4 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %39 = stablehlo.add %37, %38 : tensor<25x1xf32>
    %40 = stablehlo.rsqrt %39 : tensor<25x1xf32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %42 = stablehlo.multiply %32, %41 : tensor<25x96xf32>
    %43 = stablehlo.dot_general %42, %$expert0.qkv, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x384xf32>) -> tensor<25x384xf32>
    %44 = stablehlo.slice %43 [0:25, 0:128] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %45 = stablehlo.slice %43 [0:25, 128:256] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %46 = stablehlo.slice %43 [0:25, 256:384] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %47 = stablehlo.reshape %44 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %48 = stablehlo.transpose %47, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %49 = stablehlo.reshape %45 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %50 = stablehlo.transpose %49, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %51 = stablehlo.reshape %46 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %52 = stablehlo.transpose %51, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %53 = stablehlo.slice %arg0 [0:1, 0:1, 0:4, 0:32, 0:32] : (tensor<4x2x4x32x32xf32>) -> tensor<1x1x4x32x32xf32>
    %54 = stablehlo.reshape %53 : (tensor<1x1x4x32x32xf32>) -> tensor<4x32x32xf32>
    %55 = stablehlo.slice %arg0 [0:1, 1:2, 0:4, 0:32, 0:32] : (tensor<4x2x4x32x32xf32>) -> tensor<1x1x4x32x32xf32>
    %56 = stablehlo.reshape %55 : (tensor<1x1x4x32x32xf32>) -> tensor<4x32x32xf32>
    %57 = stablehlo.dot_general %48, %54, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %58 = stablehlo.dot_general %48, %50, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x25x32xf32>) -> tensor<4x25x25xf32>
    %59 = stablehlo.concatenate %57, %58, dim = 2 : (tensor<4x25x32xf32>, tensor<4x25x25xf32>) -> tensor<4x25x57xf32>
    %cst_5 = stablehlo.constant dense<0.176776692> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x25x57xf32>
    %61 = stablehlo.multiply %59, %60 : tensor<4x25x57xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %62 = stablehlo.reduce(%61 init: %cst_6) applies stablehlo.maximum across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %64 = stablehlo.maximum %63, %62 : tensor<4x25xf32>
    %65 = stablehlo.broadcast_in_dim %64, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %67 = stablehlo.subtract %61, %66 : tensor<4x25x57xf32>
    %68 = stablehlo.exponential %67 : tensor<4x25x57xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %69 = stablehlo.reduce(%68 init: %cst_8) applies stablehlo.add across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %71 = stablehlo.broadcast_in_dim %70, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %72 = stablehlo.divide %68, %71 : tensor<4x25x57xf32>
    %73 = stablehlo.slice %72 [0:4, 0:25, 0:32] : (tensor<4x25x57xf32>) -> tensor<4x25x32xf32>
    %74 = stablehlo.slice %72 [0:4, 0:25, 32:57] : (tensor<4x25x57xf32>) -> tensor<4x25x25xf32>
    %75 = stablehlo.dot_general %73, %56, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x25x32xf32>
    %77 = stablehlo.add %76, %75 : tensor<4x25x32xf32>
    %78 = stablehlo.dot_general %74, %52, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x25xf32>, tensor<4x25x32xf32>) -> tensor<4x25x32xf32>
    %79 = stablehlo.add %77, %78 : tensor<4x25x32xf32>
    %80 = stablehlo.transpose %79, dims = [1, 0, 2] : (tensor<4x25x32xf32>) -> tensor<25x4x32xf32>
    %81 = stablehlo.reshape %80 : (tensor<25x4x32xf32>) -> tensor<25x128xf32>
    %82 = stablehlo.dot_general %81, %$expert0.out, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x128xf32>, tensor<128x96xf32>) -> tensor<25x96xf32>
    %83 = stablehlo.add %32, %82 : tensor<25x96xf32>
    %84 = stablehlo.multiply %83, %83 : tensor<25x96xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %85 = stablehlo.reduce(%84 init: %cst_10) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %86 = stablehlo.broadcast_in_dim %85, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_11 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %88 = stablehlo.divide %86, %87 : tensor<25x1xf32>
    %cst_12 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %90 = stablehlo.add %88, %89 : tensor<25x1xf32>
    %91 = stablehlo.rsqrt %90 : tensor<25x1xf32>
    %92 = stablehlo.broadcast_in_dim %91, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %93 = stablehlo.multiply %83, %92 : tensor<25x96xf32>
    %94 = stablehlo.dot_general %93, %$expert0.up, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x384xf32>) -> tensor<25x384xf32>
    %95 = stablehlo.slice %94 [0:25, 0:192] : (tensor<25x384xf32>) -> tensor<25x192xf32>
    %96 = stablehlo.slice %94 [0:25, 192:384] : (tensor<25x384xf32>) -> tensor<25x192xf32>
    %97 = call @step_trained$silu_1(%95) : (tensor<25x192xf32>) -> tensor<25x192xf32>
    %98 = stablehlo.multiply %97, %96 : tensor<25x192xf32>
    %99 = stablehlo.dot_general %98, %$expert0.down, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x192xf32>, tensor<192x96xf32>) -> tensor<25x96xf32>
    %100 = stablehlo.add %83, %99 : tensor<25x96xf32>
    %101 = stablehlo.multiply %100, %100 : tensor<25x96xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %102 = stablehlo.reduce(%101 init: %cst_13) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %103 = stablehlo.broadcast_in_dim %102, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_14 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %105 = stablehlo.divide %103, %104 : tensor<25x1xf32>
    %cst_15 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %106 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %107 = stablehlo.add %105, %106 : tensor<25x1xf32>
    %108 = stablehlo.rsqrt %107 : tensor<25x1xf32>
    %109 = stablehlo.broadcast_in_dim %108, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %110 = stablehlo.multiply %100, %109 : tensor<25x96xf32>
    %111 = stablehlo.dot_general %110, %$expert1.qkv, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x384xf32>) -> tensor<25x384xf32>
    %112 = stablehlo.slice %111 [0:25, 0:128] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %113 = stablehlo.slice %111 [0:25, 128:256] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %114 = stablehlo.slice %111 [0:25, 256:384] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %115 = stablehlo.reshape %112 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %116 = stablehlo.transpose %115, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %117 = stablehlo.reshape %113 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %118 = stablehlo.transpose %117, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %119 = stablehlo.reshape %114 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %120 = stablehlo.transpose %119, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %121 = stablehlo.slice %arg0 [1:2, 0:1, 0:4, 0:32, 0:32] : (tensor<4x2x4x32x32xf32>) -> tensor<1x1x4x32x32xf32>
    %122 = stablehlo.reshape %121 : (tensor<1x1x4x32x32xf32>) -> tensor<4x32x32xf32>
    %123 = stablehlo.slice %arg0 [1:2, 1:2, 0:4, 0:32, 0:32] : (tensor<4x2x4x32x32xf32>) -> tensor<1x1x4x32x32xf32>
    %124 = stablehlo.reshape %123 : (tensor<1x1x4x32x32xf32>) -> tensor<4x32x32xf32>
    %125 = stablehlo.dot_general %116, %122, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %126 = stablehlo.dot_general %116, %118, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x25x32xf32>) -> tensor<4x25x25xf32>
    %127 = stablehlo.concatenate %125, %126, dim = 2 : (tensor<4x25x32xf32>, tensor<4x25x25xf32>) -> tensor<4x25x57xf32>
    %cst_16 = stablehlo.constant dense<0.176776692> : tensor<f32>
    %128 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x25x57xf32>
    %129 = stablehlo.multiply %127, %128 : tensor<4x25x57xf32>
    %cst_17 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %130 = stablehlo.reduce(%129 init: %cst_17) applies stablehlo.maximum across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %cst_18 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %131 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %132 = stablehlo.maximum %131, %130 : tensor<4x25xf32>
    %133 = stablehlo.broadcast_in_dim %132, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %134 = stablehlo.broadcast_in_dim %133, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %135 = stablehlo.subtract %129, %134 : tensor<4x25x57xf32>
    %136 = stablehlo.exponential %135 : tensor<4x25x57xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %137 = stablehlo.reduce(%136 init: %cst_19) applies stablehlo.add across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %138 = stablehlo.broadcast_in_dim %137, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %139 = stablehlo.broadcast_in_dim %138, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %140 = stablehlo.divide %136, %139 : tensor<4x25x57xf32>
    %141 = stablehlo.slice %140 [0:4, 0:25, 0:32] : (tensor<4x25x57xf32>) -> tensor<4x25x32xf32>
    %142 = stablehlo.slice %140 [0:4, 0:25, 32:57] : (tensor<4x25x57xf32>) -> tensor<4x25x25xf32>
    %143 = stablehlo.dot_general %141, %124, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %144 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<4x25x32xf32>
    %145 = stablehlo.add %144, %143 : tensor<4x25x32xf32>
    %146 = stablehlo.dot_general %142, %120, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x25xf32>, tensor<4x25x32xf32>) -> tensor<4x25x32xf32>
    %147 = stablehlo.add %145, %146 : tensor<4x25x32xf32>
    %148 = stablehlo.transpose %147, dims = [1, 0, 2] : (tensor<4x25x32xf32>) -> tensor<25x4x32xf32>
    %149 = stablehlo.reshape %148 : (tensor<25x4x32xf32>) -> tensor<25x128xf32>
    %150 = stablehlo.dot_general %149, %$expert1.out, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x128xf32>, tensor<128x96xf32>) -> tensor<25x96xf32>
    %151 = stablehlo.add %100, %150 : tensor<25x96xf32>
    %152 = stablehlo.multiply %151, %151 : tensor<25x96xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %153 = stablehlo.reduce(%152 init: %cst_21) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %154 = stablehlo.broadcast_in_dim %153, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_22 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %155 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %156 = stablehlo.divide %154, %155 : tensor<25x1xf32>
    %cst_23 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %157 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %158 = stablehlo.add %156, %157 : tensor<25x1xf32>
    %159 = stablehlo.rsqrt %158 : tensor<25x1xf32>
    %160 = stablehlo.broadcast_in_dim %159, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %161 = stablehlo.multiply %151, %160 : tensor<25x96xf32>
    %162 = stablehlo.dot_general %161, %$expert1.up, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x384xf32>) -> tensor<25x384xf32>
    %163 = stablehlo.slice %162 [0:25, 0:192] : (tensor<25x384xf32>) -> tensor<25x192xf32>
    %164 = stablehlo.slice %162 [0:25, 192:384] : (tensor<25x384xf32>) -> tensor<25x192xf32>
    %165 = call @step_trained$silu_1(%163) : (tensor<25x192xf32>) -> tensor<25x192xf32>
    %166 = stablehlo.multiply %165, %164 : tensor<25x192xf32>
    %167 = stablehlo.dot_general %166, %$expert1.down, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x192xf32>, tensor<192x96xf32>) -> tensor<25x96xf32>
    %168 = stablehlo.add %151, %167 : tensor<25x96xf32>
    %169 = stablehlo.multiply %168, %168 : tensor<25x96xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %170 = stablehlo.reduce(%169 init: %cst_24) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %171 = stablehlo.broadcast_in_dim %170, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_25 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %172 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %173 = stablehlo.divide %171, %172 : tensor<25x1xf32>
    %cst_26 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %174 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %175 = stablehlo.add %173, %174 : tensor<25x1xf32>
    %176 = stablehlo.rsqrt %175 : tensor<25x1xf32>
    %177 = stablehlo.broadcast_in_dim %176, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %178 = stablehlo.multiply %168, %177 : tensor<25x96xf32>
    %179 = stablehlo.dot_general %178, %$expert2.qkv, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x384xf32>) -> tensor<25x384xf32>
    %180 = stablehlo.slice %179 [0:25, 0:128] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %181 = stablehlo.slice %179 [0:25, 128:256] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %182 = stablehlo.slice %179 [0:25, 256:384] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %183 = stablehlo.reshape %180 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %184 = stablehlo.transpose %183, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %185 = stablehlo.reshape %181 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %186 = stablehlo.transpose %185, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %187 = stablehlo.reshape %182 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %188 = stablehlo.transpose %187, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %189 = stablehlo.slice %arg0 [2:3, 0:1, 0:4, 0:32, 0:32] : (tensor<4x2x4x32x32xf32>) -> tensor<1x1x4x32x32xf32>
    %190 = stablehlo.reshape %189 : (tensor<1x1x4x32x32xf32>) -> tensor<4x32x32xf32>
    %191 = stablehlo.slice %arg0 [2:3, 1:2, 0:4, 0:32, 0:32] : (tensor<4x2x4x32x32xf32>) -> tensor<1x1x4x32x32xf32>
    %192 = stablehlo.reshape %191 : (tensor<1x1x4x32x32xf32>) -> tensor<4x32x32xf32>
    %193 = stablehlo.dot_general %184, %190, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %194 = stablehlo.dot_general %184, %186, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x25x32xf32>) -> tensor<4x25x25xf32>
    %195 = stablehlo.concatenate %193, %194, dim = 2 : (tensor<4x25x32xf32>, tensor<4x25x25xf32>) -> tensor<4x25x57xf32>
    %cst_27 = stablehlo.constant dense<0.176776692> : tensor<f32>
    %196 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<4x25x57xf32>
    %197 = stablehlo.multiply %195, %196 : tensor<4x25x57xf32>
    %cst_28 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %198 = stablehlo.reduce(%197 init: %cst_28) applies stablehlo.maximum across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %cst_29 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %199 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %200 = stablehlo.maximum %199, %198 : tensor<4x25xf32>
    %201 = stablehlo.broadcast_in_dim %200, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %202 = stablehlo.broadcast_in_dim %201, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %203 = stablehlo.subtract %197, %202 : tensor<4x25x57xf32>
    %204 = stablehlo.exponential %203 : tensor<4x25x57xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %205 = stablehlo.reduce(%204 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %206 = stablehlo.broadcast_in_dim %205, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %207 = stablehlo.broadcast_in_dim %206, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %208 = stablehlo.divide %204, %207 : tensor<4x25x57xf32>
    %209 = stablehlo.slice %208 [0:4, 0:25, 0:32] : (tensor<4x25x57xf32>) -> tensor<4x25x32xf32>
    %210 = stablehlo.slice %208 [0:4, 0:25, 32:57] : (tensor<4x25x57xf32>) -> tensor<4x25x25xf32>
    %211 = stablehlo.dot_general %209, %192, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %212 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<4x25x32xf32>
    %213 = stablehlo.add %212, %211 : tensor<4x25x32xf32>
    %214 = stablehlo.dot_general %210, %188, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x25xf32>, tensor<4x25x32xf32>) -> tensor<4x25x32xf32>
    %215 = stablehlo.add %213, %214 : tensor<4x25x32xf32>
    %216 = stablehlo.transpose %215, dims = [1, 0, 2] : (tensor<4x25x32xf32>) -> tensor<25x4x32xf32>
    %217 = stablehlo.reshape %216 : (tensor<25x4x32xf32>) -> tensor<25x128xf32>
    %218 = stablehlo.dot_general %217, %$expert2.out, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x128xf32>, tensor<128x96xf32>) -> tensor<25x96xf32>
    %219 = stablehlo.add %168, %218 : tensor<25x96xf32>
    %220 = stablehlo.multiply %219, %219 : tensor<25x96xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %221 = stablehlo.reduce(%220 init: %cst_32) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %222 = stablehlo.broadcast_in_dim %221, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_33 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %223 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %224 = stablehlo.divide %222, %223 : tensor<25x1xf32>
    %cst_34 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %225 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %226 = stablehlo.add %224, %225 : tensor<25x1xf32>
    %227 = stablehlo.rsqrt %226 : tensor<25x1xf32>
    %228 = stablehlo.broadcast_in_dim %227, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %229 = stablehlo.multiply %219, %228 : tensor<25x96xf32>
    %230 = stablehlo.dot_general %229, %$expert2.up, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x384xf32>) -> tensor<25x384xf32>
    %231 = stablehlo.slice %230 [0:25, 0:192] : (tensor<25x384xf32>) -> tensor<25x192xf32>
    %232 = stablehlo.slice %230 [0:25, 192:384] : (tensor<25x384xf32>) -> tensor<25x192xf32>
    %233 = call @step_trained$silu_1(%231) : (tensor<25x192xf32>) -> tensor<25x192xf32>
    %234 = stablehlo.multiply %233, %232 : tensor<25x192xf32>
    %235 = stablehlo.dot_general %234, %$expert2.down, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x192xf32>, tensor<192x96xf32>) -> tensor<25x96xf32>
    %236 = stablehlo.add %219, %235 : tensor<25x96xf32>
    %237 = stablehlo.multiply %236, %236 : tensor<25x96xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %238 = stablehlo.reduce(%237 init: %cst_35) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %239 = stablehlo.broadcast_in_dim %238, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_36 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %240 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %241 = stablehlo.divide %239, %240 : tensor<25x1xf32>
    %cst_37 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %242 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %243 = stablehlo.add %241, %242 : tensor<25x1xf32>
    %244 = stablehlo.rsqrt %243 : tensor<25x1xf32>
    %245 = stablehlo.broadcast_in_dim %244, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %246 = stablehlo.multiply %236, %245 : tensor<25x96xf32>
    %247 = stablehlo.dot_general %246, %$expert3.qkv, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x384xf32>) -> tensor<25x384xf32>
    %248 = stablehlo.slice %247 [0:25, 0:128] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %249 = stablehlo.slice %247 [0:25, 128:256] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %250 = stablehlo.slice %247 [0:25, 256:384] : (tensor<25x384xf32>) -> tensor<25x128xf32>
    %251 = stablehlo.reshape %248 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %252 = stablehlo.transpose %251, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %253 = stablehlo.reshape %249 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %254 = stablehlo.transpose %253, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %255 = stablehlo.reshape %250 : (tensor<25x128xf32>) -> tensor<25x4x32xf32>
    %256 = stablehlo.transpose %255, dims = [1, 0, 2] : (tensor<25x4x32xf32>) -> tensor<4x25x32xf32>
    %257 = stablehlo.slice %arg0 [3:4, 0:1, 0:4, 0:32, 0:32] : (tensor<4x2x4x32x32xf32>) -> tensor<1x1x4x32x32xf32>
    %258 = stablehlo.reshape %257 : (tensor<1x1x4x32x32xf32>) -> tensor<4x32x32xf32>
    %259 = stablehlo.slice %arg0 [3:4, 1:2, 0:4, 0:32, 0:32] : (tensor<4x2x4x32x32xf32>) -> tensor<1x1x4x32x32xf32>
    %260 = stablehlo.reshape %259 : (tensor<1x1x4x32x32xf32>) -> tensor<4x32x32xf32>
    %261 = stablehlo.dot_general %252, %258, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %262 = stablehlo.dot_general %252, %254, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x25x32xf32>) -> tensor<4x25x25xf32>
    %263 = stablehlo.concatenate %261, %262, dim = 2 : (tensor<4x25x32xf32>, tensor<4x25x25xf32>) -> tensor<4x25x57xf32>
    %cst_38 = stablehlo.constant dense<0.176776692> : tensor<f32>
    %264 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<4x25x57xf32>
    %265 = stablehlo.multiply %263, %264 : tensor<4x25x57xf32>
    %cst_39 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %266 = stablehlo.reduce(%265 init: %cst_39) applies stablehlo.maximum across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %cst_40 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %267 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %268 = stablehlo.maximum %267, %266 : tensor<4x25xf32>
    %269 = stablehlo.broadcast_in_dim %268, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %270 = stablehlo.broadcast_in_dim %269, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %271 = stablehlo.subtract %265, %270 : tensor<4x25x57xf32>
    %272 = stablehlo.exponential %271 : tensor<4x25x57xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %273 = stablehlo.reduce(%272 init: %cst_41) applies stablehlo.add across dimensions = [2] : (tensor<4x25x57xf32>, tensor<f32>) -> tensor<4x25xf32>
    %274 = stablehlo.broadcast_in_dim %273, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %275 = stablehlo.broadcast_in_dim %274, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x57xf32>
    %276 = stablehlo.divide %272, %275 : tensor<4x25x57xf32>
    %277 = stablehlo.slice %276 [0:4, 0:25, 0:32] : (tensor<4x25x57xf32>) -> tensor<4x25x32xf32>
    %278 = stablehlo.slice %276 [0:4, 0:25, 32:57] : (tensor<4x25x57xf32>) -> tensor<4x25x25xf32>
    %279 = stablehlo.dot_general %277, %260, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x32xf32>, tensor<4x32x32xf32>) -> tensor<4x25x32xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %280 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<4x25x32xf32>
    %281 = stablehlo.add %280, %279 : tensor<4x25x32xf32>
    %282 = stablehlo.dot_general %278, %256, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x25xf32>, tensor<4x25x32xf32>) -> tensor<4x25x32xf32>
    %283 = stablehlo.add %281, %282 : tensor<4x25x32xf32>
    %284 = stablehlo.transpose %283, dims = [1, 0, 2] : (tensor<4x25x32xf32>) -> tensor<25x4x32xf32>
    %285 = stablehlo.reshape %284 : (tensor<25x4x32xf32>) -> tensor<25x128xf32>
    %286 = stablehlo.dot_general %285, %$expert3.out, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x128xf32>, tensor<128x96xf32>) -> tensor<25x96xf32>
    %287 = stablehlo.add %236, %286 : tensor<25x96xf32>
    %288 = stablehlo.multiply %287, %287 : tensor<25x96xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %289 = stablehlo.reduce(%288 init: %cst_43) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %290 = stablehlo.broadcast_in_dim %289, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_44 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %291 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %292 = stablehlo.divide %290, %291 : tensor<25x1xf32>
    %cst_45 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %293 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %294 = stablehlo.add %292, %293 : tensor<25x1xf32>
    %295 = stablehlo.rsqrt %294 : tensor<25x1xf32>
    %296 = stablehlo.broadcast_in_dim %295, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %297 = stablehlo.multiply %287, %296 : tensor<25x96xf32>
    %298 = stablehlo.dot_general %297, %$expert3.up, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x384xf32>) -> tensor<25x384xf32>
    %299 = stablehlo.slice %298 [0:25, 0:192] : (tensor<25x384xf32>) -> tensor<25x192xf32>
    %300 = stablehlo.slice %298 [0:25, 192:384] : (tensor<25x384xf32>) -> tensor<25x192xf32>
    %301 = call @step_trained$silu_1(%299) : (tensor<25x192xf32>) -> tensor<25x192xf32>
    %302 = stablehlo.multiply %301, %300 : tensor<25x192xf32>
    %303 = stablehlo.dot_general %302, %$expert3.down, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x192xf32>, tensor<192x96xf32>) -> tensor<25x96xf32>
    %304 = stablehlo.add %287, %303 : tensor<25x96xf32>
    %305 = stablehlo.slice %304 [1:25, 0:96] : (tensor<25x96xf32>) -> tensor<24x96xf32>
    %306 = stablehlo.multiply %305, %305 : tensor<24x96xf32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %307 = stablehlo.reduce(%306 init: %cst_46) applies stablehlo.add across dimensions = [1] : (tensor<24x96xf32>, tensor<f32>) -> tensor<24xf32>
    %308 = stablehlo.broadcast_in_dim %307, dims = [0] : (tensor<24xf32>) -> tensor<24x1xf32>
    %cst_47 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %309 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<24x1xf32>
    %310 = stablehlo.divide %308, %309 : tensor<24x1xf32>
    %cst_48 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %311 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<24x1xf32>
    %312 = stablehlo.add %310, %311 : tensor<24x1xf32>
    %313 = stablehlo.rsqrt %312 : tensor<24x1xf32>
    %314 = stablehlo.broadcast_in_dim %313, dims = [0, 1] : (tensor<24x1xf32>) -> tensor<24x96xf32>
    %315 = stablehlo.multiply %305, %314 : tensor<24x96xf32>
    %316 = stablehlo.dot_general %315, %$action_out, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24x96xf32>, tensor<96x4xf32>) -> tensor<24x4xf32>
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %317 = call @step_trained$_where_2(%3, %cst_49, %316) : (tensor<24x1xi1>, tensor<f32>, tensor<24x4xf32>) -> tensor<24x4xf32>
    %318 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<f32>) -> tensor<24x4xf32>
    %319 = stablehlo.multiply %318, %317 : tensor<24x4xf32>
    %320 = stablehlo.add %4, %319 : tensor<24x4xf32>
    %321 = stablehlo.add %arg3, %arg4 : tensor<f32>
    return %320, %321 : tensor<24x4xf32>, tensor<f32>
  }
  func.func private @step_trained$_where(%arg0: tensor<24x1xi1>, %arg1: tensor<24x4xf32>, %arg2: tensor<24x4xf32>) -> tensor<24x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<24x1xi1>) -> tensor<24x4xi1>
    %1 = stablehlo.select %0, %arg1, %arg2 : tensor<24x4xi1>, tensor<24x4xf32>
    return %1 : tensor<24x4xf32>
  }
  func.func private @step_trained$_where_0(%arg0: tensor<24xi1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<24xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<24xf32>
    %2 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<24xf32>
    %3 = stablehlo.select %arg0, %1, %2 : tensor<24xi1>, tensor<24xf32>
    return %3 : tensor<24xf32>
  }
  func.func private @step_trained$silu(%arg0: tensor<24x96xf32>) -> tensor<24x96xf32> {
    %0 = stablehlo.negate %arg0 : tensor<24x96xf32>
    %1 = stablehlo.exponential %0 : tensor<24x96xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<24x96xf32>
    %3 = stablehlo.add %2, %1 : tensor<24x96xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<24x96xf32>
    %5 = stablehlo.divide %4, %3 : tensor<24x96xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<24x96xf32>
    return %6 : tensor<24x96xf32>
  }
  func.func private @step_trained$silu_1(%arg0: tensor<25x192xf32>) -> tensor<25x192xf32> {
    %0 = stablehlo.negate %arg0 : tensor<25x192xf32>
    %1 = stablehlo.exponential %0 : tensor<25x192xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<25x192xf32>
    %3 = stablehlo.add %2, %1 : tensor<25x192xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<25x192xf32>
    %5 = stablehlo.divide %4, %3 : tensor<25x192xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<25x192xf32>
    return %6 : tensor<25x192xf32>
  }
  func.func private @step_trained$_where_2(%arg0: tensor<24x1xi1>, %arg1: tensor<f32>, %arg2: tensor<24x4xf32>) -> tensor<24x4xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<24x1xi1>) -> tensor<24x4xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<24x4xf32>
    %3 = stablehlo.select %1, %2, %arg2 : tensor<24x4xi1>, tensor<24x4xf32>
    return %3 : tensor<24x4xf32>
  }
}
