module {
  util.global private @"$action_mean" = #flow.parameter.named<"model"::"action_mean"> : tensor<4xf32>
  util.global private @"$action_std" = #flow.parameter.named<"model"::"action_std"> : tensor<4xf32>
  util.global private @"$context_position" = #flow.parameter.named<"model"::"context_position"> : tensor<12x96xf32>
  util.global private @"$fuse0.b" = #flow.parameter.named<"model"::"fuse0.b"> : tensor<192xf32>
  util.global private @"$fuse0.w" = #flow.parameter.named<"model"::"fuse0.w"> : tensor<520x192xf32>
  util.global private @"$fuse1.b" = #flow.parameter.named<"model"::"fuse1.b"> : tensor<192xf32>
  util.global private @"$fuse1.w" = #flow.parameter.named<"model"::"fuse1.w"> : tensor<192x192xf32>
  util.global private @"$fuse2.b" = #flow.parameter.named<"model"::"fuse2.b"> : tensor<192xf32>
  util.global private @"$fuse2.w" = #flow.parameter.named<"model"::"fuse2.w"> : tensor<192x192xf32>
  util.global private @"$known.b" = #flow.parameter.named<"model"::"known.b"> : tensor<384xf32>
  util.global private @"$known.w" = #flow.parameter.named<"model"::"known.w"> : tensor<192x384xf32>
  util.global private @"$layer0.context.b" = #flow.parameter.named<"model"::"layer0.context.b"> : tensor<192xf32>
  util.global private @"$layer0.context.w" = #flow.parameter.named<"model"::"layer0.context.w"> : tensor<96x192xf32>
  util.global private @"$layer0.modulation" = #flow.parameter.named<"model"::"layer0.modulation"> : tensor<4x96xf32>
  util.global private @"$layer1.context.b" = #flow.parameter.named<"model"::"layer1.context.b"> : tensor<192xf32>
  util.global private @"$layer1.context.w" = #flow.parameter.named<"model"::"layer1.context.w"> : tensor<96x192xf32>
  util.global private @"$layer1.modulation" = #flow.parameter.named<"model"::"layer1.modulation"> : tensor<4x96xf32>
  util.global private @"$layer2.context.b" = #flow.parameter.named<"model"::"layer2.context.b"> : tensor<192xf32>
  util.global private @"$layer2.context.w" = #flow.parameter.named<"model"::"layer2.context.w"> : tensor<96x192xf32>
  util.global private @"$layer2.modulation" = #flow.parameter.named<"model"::"layer2.modulation"> : tensor<4x96xf32>
  util.global private @"$modulate_chunk.b" = #flow.parameter.named<"model"::"modulate_chunk.b"> : tensor<384xf32>
  util.global private @"$modulate_chunk.w" = #flow.parameter.named<"model"::"modulate_chunk.w"> : tensor<192x384xf32>
  util.global private @"$motion_mean" = #flow.parameter.named<"model"::"motion_mean"> : tensor<8xf32>
  util.global private @"$motion_std" = #flow.parameter.named<"model"::"motion_std"> : tensor<8xf32>
  util.global private @"$seen.b" = #flow.parameter.named<"model"::"seen.b"> : tensor<96xf32>
  util.global private @"$seen.w" = #flow.parameter.named<"model"::"seen.w"> : tensor<64x96xf32>
  util.global private @"$action_in.b" = #flow.parameter.named<"model"::"action_in.b"> : tensor<96xf32>
  util.global private @"$action_in.w" = #flow.parameter.named<"model"::"action_in.w"> : tensor<4x96xf32>
  util.global private @"$action_out.b" = #flow.parameter.named<"model"::"action_out.b"> : tensor<4xf32>
  util.global private @"$action_out.w" = #flow.parameter.named<"model"::"action_out.w"> : tensor<96x4xf32>
  util.global private @"$clock0.b" = #flow.parameter.named<"model"::"clock0.b"> : tensor<96xf32>
  util.global private @"$clock0.w" = #flow.parameter.named<"model"::"clock0.w"> : tensor<64x96xf32>
  util.global private @"$clock1.b" = #flow.parameter.named<"model"::"clock1.b"> : tensor<384xf32>
  util.global private @"$clock1.w" = #flow.parameter.named<"model"::"clock1.w"> : tensor<96x384xf32>
  util.global private @"$layer0.context_out.b" = #flow.parameter.named<"model"::"layer0.context_out.b"> : tensor<96xf32>
  util.global private @"$layer0.context_out.w" = #flow.parameter.named<"model"::"layer0.context_out.w"> : tensor<96x96xf32>
  util.global private @"$layer0.down.b" = #flow.parameter.named<"model"::"layer0.down.b"> : tensor<96xf32>
  util.global private @"$layer0.down.w" = #flow.parameter.named<"model"::"layer0.down.w"> : tensor<192x96xf32>
  util.global private @"$layer0.query.b" = #flow.parameter.named<"model"::"layer0.query.b"> : tensor<96xf32>
  util.global private @"$layer0.query.w" = #flow.parameter.named<"model"::"layer0.query.w"> : tensor<96x96xf32>
  util.global private @"$layer0.self.b" = #flow.parameter.named<"model"::"layer0.self.b"> : tensor<288xf32>
  util.global private @"$layer0.self.w" = #flow.parameter.named<"model"::"layer0.self.w"> : tensor<96x288xf32>
  util.global private @"$layer0.self_out.b" = #flow.parameter.named<"model"::"layer0.self_out.b"> : tensor<96xf32>
  util.global private @"$layer0.self_out.w" = #flow.parameter.named<"model"::"layer0.self_out.w"> : tensor<96x96xf32>
  util.global private @"$layer0.up.b" = #flow.parameter.named<"model"::"layer0.up.b"> : tensor<192xf32>
  util.global private @"$layer0.up.w" = #flow.parameter.named<"model"::"layer0.up.w"> : tensor<96x192xf32>
  util.global private @"$layer1.context_out.b" = #flow.parameter.named<"model"::"layer1.context_out.b"> : tensor<96xf32>
  util.global private @"$layer1.context_out.w" = #flow.parameter.named<"model"::"layer1.context_out.w"> : tensor<96x96xf32>
  util.global private @"$layer1.down.b" = #flow.parameter.named<"model"::"layer1.down.b"> : tensor<96xf32>
  util.global private @"$layer1.down.w" = #flow.parameter.named<"model"::"layer1.down.w"> : tensor<192x96xf32>
  util.global private @"$layer1.query.b" = #flow.parameter.named<"model"::"layer1.query.b"> : tensor<96xf32>
  util.global private @"$layer1.query.w" = #flow.parameter.named<"model"::"layer1.query.w"> : tensor<96x96xf32>
  util.global private @"$layer1.self.b" = #flow.parameter.named<"model"::"layer1.self.b"> : tensor<288xf32>
  util.global private @"$layer1.self.w" = #flow.parameter.named<"model"::"layer1.self.w"> : tensor<96x288xf32>
  util.global private @"$layer1.self_out.b" = #flow.parameter.named<"model"::"layer1.self_out.b"> : tensor<96xf32>
  util.global private @"$layer1.self_out.w" = #flow.parameter.named<"model"::"layer1.self_out.w"> : tensor<96x96xf32>
  util.global private @"$layer1.up.b" = #flow.parameter.named<"model"::"layer1.up.b"> : tensor<192xf32>
  util.global private @"$layer1.up.w" = #flow.parameter.named<"model"::"layer1.up.w"> : tensor<96x192xf32>
  util.global private @"$layer2.context_out.b" = #flow.parameter.named<"model"::"layer2.context_out.b"> : tensor<96xf32>
  util.global private @"$layer2.context_out.w" = #flow.parameter.named<"model"::"layer2.context_out.w"> : tensor<96x96xf32>
  util.global private @"$layer2.down.b" = #flow.parameter.named<"model"::"layer2.down.b"> : tensor<96xf32>
  util.global private @"$layer2.down.w" = #flow.parameter.named<"model"::"layer2.down.w"> : tensor<192x96xf32>
  util.global private @"$layer2.query.b" = #flow.parameter.named<"model"::"layer2.query.b"> : tensor<96xf32>
  util.global private @"$layer2.query.w" = #flow.parameter.named<"model"::"layer2.query.w"> : tensor<96x96xf32>
  util.global private @"$layer2.self.b" = #flow.parameter.named<"model"::"layer2.self.b"> : tensor<288xf32>
  util.global private @"$layer2.self.w" = #flow.parameter.named<"model"::"layer2.self.w"> : tensor<96x288xf32>
  util.global private @"$layer2.self_out.b" = #flow.parameter.named<"model"::"layer2.self_out.b"> : tensor<96xf32>
  util.global private @"$layer2.self_out.w" = #flow.parameter.named<"model"::"layer2.self_out.w"> : tensor<96x96xf32>
  util.global private @"$layer2.up.b" = #flow.parameter.named<"model"::"layer2.up.b"> : tensor<192xf32>
  util.global private @"$layer2.up.w" = #flow.parameter.named<"model"::"layer2.up.w"> : tensor<96x192xf32>
  util.global private @"$tick_position" = #flow.parameter.named<"model"::"tick_position"> : tensor<16x96xf32>
  func.func public @start(%arg0: tensor<8x64xf32>, %arg1: tensor<8xf32>, %arg2: tensor<16x4xf32>, %arg3: tensor<16x4xf32>, %arg4: tensor<3x28x96xf32> {iree.abi.output = 0 : index}, %arg5: tensor<16x4xf32> {iree.abi.output = 1 : index}, %arg6: tensor<f32> {iree.abi.output = 2 : index}, %arg7: tensor<16x4xf32> {iree.abi.output = 3 : index}, %arg8: !hal.buffer {iree.abi.transients}) -> (tensor<3x28x96xf32>, tensor<16x4xf32>, tensor<f32>, tensor<16x4xf32>) attributes {iree.reflection = {polyrhythm.inputs = "hidden,proprio,noise,previous", polyrhythm.outputs = "cond,x,t,target"}} {
    %0:4 = util.optimization_barrier %arg0, %arg1, %arg2, %arg3 : tensor<8x64xf32>, tensor<8xf32>, tensor<16x4xf32>, tensor<16x4xf32>
    %$action_mean = util.global.load @"$action_mean" : tensor<4xf32>
    %$action_std = util.global.load @"$action_std" : tensor<4xf32>
    %$context_position = util.global.load @"$context_position" : tensor<12x96xf32>
    %$fuse0.b = util.global.load @"$fuse0.b" : tensor<192xf32>
    %$fuse0.w = util.global.load @"$fuse0.w" : tensor<520x192xf32>
    %$fuse1.b = util.global.load @"$fuse1.b" : tensor<192xf32>
    %$fuse1.w = util.global.load @"$fuse1.w" : tensor<192x192xf32>
    %$fuse2.b = util.global.load @"$fuse2.b" : tensor<192xf32>
    %$fuse2.w = util.global.load @"$fuse2.w" : tensor<192x192xf32>
    %$known.b = util.global.load @"$known.b" : tensor<384xf32>
    %$known.w = util.global.load @"$known.w" : tensor<192x384xf32>
    %$layer0.context.b = util.global.load @"$layer0.context.b" : tensor<192xf32>
    %$layer0.context.w = util.global.load @"$layer0.context.w" : tensor<96x192xf32>
    %$layer0.modulation = util.global.load @"$layer0.modulation" : tensor<4x96xf32>
    %$layer1.context.b = util.global.load @"$layer1.context.b" : tensor<192xf32>
    %$layer1.context.w = util.global.load @"$layer1.context.w" : tensor<96x192xf32>
    %$layer1.modulation = util.global.load @"$layer1.modulation" : tensor<4x96xf32>
    %$layer2.context.b = util.global.load @"$layer2.context.b" : tensor<192xf32>
    %$layer2.context.w = util.global.load @"$layer2.context.w" : tensor<96x192xf32>
    %$layer2.modulation = util.global.load @"$layer2.modulation" : tensor<4x96xf32>
    %$modulate_chunk.b = util.global.load @"$modulate_chunk.b" : tensor<384xf32>
    %$modulate_chunk.w = util.global.load @"$modulate_chunk.w" : tensor<192x384xf32>
    %$motion_mean = util.global.load @"$motion_mean" : tensor<8xf32>
    %$motion_std = util.global.load @"$motion_std" : tensor<8xf32>
    %$seen.b = util.global.load @"$seen.b" : tensor<96xf32>
    %$seen.w = util.global.load @"$seen.w" : tensor<64x96xf32>
    %1 = stablehlo.broadcast_in_dim %$action_mean, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<16x4xf32>
    %3 = stablehlo.subtract %arg3, %2 : tensor<16x4xf32>
    %4 = stablehlo.broadcast_in_dim %$action_std, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<16x4xf32>
    %6 = stablehlo.divide %3, %5 : tensor<16x4xf32>
    %7 = stablehlo.slice %arg1 [0:4] : (tensor<8xf32>) -> tensor<4xf32>
    %8 = stablehlo.slice %arg1 [4:8] : (tensor<8xf32>) -> tensor<4xf32>
    %9 = stablehlo.subtract %7, %8 : tensor<4xf32>
    %10 = stablehlo.concatenate %7, %9, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
    %11 = stablehlo.subtract %10, %$motion_mean : tensor<8xf32>
    %12 = stablehlo.divide %11, %$motion_std : tensor<8xf32>
    %13 = stablehlo.reshape %arg0 : (tensor<8x64xf32>) -> tensor<512xf32>
    %14 = stablehlo.concatenate %13, %12, dim = 0 : (tensor<512xf32>, tensor<8xf32>) -> tensor<520xf32>
    %15 = stablehlo.dot_general %14, %$fuse0.w, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<520xf32>, tensor<520x192xf32>) -> tensor<192xf32>
    %16 = stablehlo.add %15, %$fuse0.b : tensor<192xf32>
    %17 = stablehlo.multiply %16, %16 : tensor<192xf32>
    %18 = stablehlo.multiply %17, %16 : tensor<192xf32>
    %cst = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<192xf32>
    %20 = stablehlo.multiply %19, %18 : tensor<192xf32>
    %21 = stablehlo.add %16, %20 : tensor<192xf32>
    %cst_0 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<192xf32>
    %23 = stablehlo.multiply %22, %21 : tensor<192xf32>
    %24 = stablehlo.tanh %23 : tensor<192xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<192xf32>
    %26 = stablehlo.add %25, %24 : tensor<192xf32>
    %cst_2 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<192xf32>
    %28 = stablehlo.multiply %27, %26 : tensor<192xf32>
    %29 = stablehlo.multiply %16, %28 : tensor<192xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.reduce(%29 init: %cst_3) applies stablehlo.add across dimensions = [0] : (tensor<192xf32>, tensor<f32>) -> tensor<f32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_4 = stablehlo.constant dense<1.920000e+02> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %33 = stablehlo.divide %31, %32 : tensor<1xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0] : (tensor<1xf32>) -> tensor<192xf32>
    %35 = stablehlo.subtract %29, %34 : tensor<192xf32>
    %36 = stablehlo.multiply %35, %35 : tensor<192xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %37 = stablehlo.reduce(%36 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<192xf32>, tensor<f32>) -> tensor<f32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_6 = stablehlo.constant dense<1.920000e+02> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %40 = stablehlo.divide %38, %39 : tensor<1xf32>
    %cst_7 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %42 = stablehlo.add %40, %41 : tensor<1xf32>
    %43 = stablehlo.rsqrt %42 : tensor<1xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0] : (tensor<1xf32>) -> tensor<192xf32>
    %45 = stablehlo.multiply %35, %44 : tensor<192xf32>
    %46 = stablehlo.dot_general %45, %$fuse1.w, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<192xf32>, tensor<192x192xf32>) -> tensor<192xf32>
    %47 = stablehlo.add %46, %$fuse1.b : tensor<192xf32>
    %48 = stablehlo.multiply %47, %47 : tensor<192xf32>
    %49 = stablehlo.multiply %48, %47 : tensor<192xf32>
    %cst_8 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<192xf32>
    %51 = stablehlo.multiply %50, %49 : tensor<192xf32>
    %52 = stablehlo.add %47, %51 : tensor<192xf32>
    %cst_9 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<192xf32>
    %54 = stablehlo.multiply %53, %52 : tensor<192xf32>
    %55 = stablehlo.tanh %54 : tensor<192xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<192xf32>
    %57 = stablehlo.add %56, %55 : tensor<192xf32>
    %cst_11 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<192xf32>
    %59 = stablehlo.multiply %58, %57 : tensor<192xf32>
    %60 = stablehlo.multiply %47, %59 : tensor<192xf32>
    %61 = stablehlo.add %29, %60 : tensor<192xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %62 = stablehlo.reduce(%61 init: %cst_12) applies stablehlo.add across dimensions = [0] : (tensor<192xf32>, tensor<f32>) -> tensor<f32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_13 = stablehlo.constant dense<1.920000e+02> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %65 = stablehlo.divide %63, %64 : tensor<1xf32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [0] : (tensor<1xf32>) -> tensor<192xf32>
    %67 = stablehlo.subtract %61, %66 : tensor<192xf32>
    %68 = stablehlo.multiply %67, %67 : tensor<192xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %69 = stablehlo.reduce(%68 init: %cst_14) applies stablehlo.add across dimensions = [0] : (tensor<192xf32>, tensor<f32>) -> tensor<f32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_15 = stablehlo.constant dense<1.920000e+02> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %72 = stablehlo.divide %70, %71 : tensor<1xf32>
    %cst_16 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %74 = stablehlo.add %72, %73 : tensor<1xf32>
    %75 = stablehlo.rsqrt %74 : tensor<1xf32>
    %76 = stablehlo.broadcast_in_dim %75, dims = [0] : (tensor<1xf32>) -> tensor<192xf32>
    %77 = stablehlo.multiply %67, %76 : tensor<192xf32>
    %78 = stablehlo.dot_general %77, %$fuse2.w, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<192xf32>, tensor<192x192xf32>) -> tensor<192xf32>
    %79 = stablehlo.add %78, %$fuse2.b : tensor<192xf32>
    %80 = stablehlo.multiply %79, %79 : tensor<192xf32>
    %81 = stablehlo.multiply %80, %79 : tensor<192xf32>
    %cst_17 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<192xf32>
    %83 = stablehlo.multiply %82, %81 : tensor<192xf32>
    %84 = stablehlo.add %79, %83 : tensor<192xf32>
    %cst_18 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<192xf32>
    %86 = stablehlo.multiply %85, %84 : tensor<192xf32>
    %87 = stablehlo.tanh %86 : tensor<192xf32>
    %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<192xf32>
    %89 = stablehlo.add %88, %87 : tensor<192xf32>
    %cst_20 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<192xf32>
    %91 = stablehlo.multiply %90, %89 : tensor<192xf32>
    %92 = stablehlo.multiply %79, %91 : tensor<192xf32>
    %93 = stablehlo.add %61, %92 : tensor<192xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %94 = stablehlo.reduce(%93 init: %cst_21) applies stablehlo.add across dimensions = [0] : (tensor<192xf32>, tensor<f32>) -> tensor<f32>
    %95 = stablehlo.broadcast_in_dim %94, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_22 = stablehlo.constant dense<1.920000e+02> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %97 = stablehlo.divide %95, %96 : tensor<1xf32>
    %98 = stablehlo.broadcast_in_dim %97, dims = [0] : (tensor<1xf32>) -> tensor<192xf32>
    %99 = stablehlo.subtract %93, %98 : tensor<192xf32>
    %100 = stablehlo.multiply %99, %99 : tensor<192xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %101 = stablehlo.reduce(%100 init: %cst_23) applies stablehlo.add across dimensions = [0] : (tensor<192xf32>, tensor<f32>) -> tensor<f32>
    %102 = stablehlo.broadcast_in_dim %101, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_24 = stablehlo.constant dense<1.920000e+02> : tensor<f32>
    %103 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %104 = stablehlo.divide %102, %103 : tensor<1xf32>
    %cst_25 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %106 = stablehlo.add %104, %105 : tensor<1xf32>
    %107 = stablehlo.rsqrt %106 : tensor<1xf32>
    %108 = stablehlo.broadcast_in_dim %107, dims = [0] : (tensor<1xf32>) -> tensor<192xf32>
    %109 = stablehlo.multiply %99, %108 : tensor<192xf32>
    %110 = stablehlo.dot_general %arg0, %$seen.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64xf32>, tensor<64x96xf32>) -> tensor<8x96xf32>
    %111 = stablehlo.broadcast_in_dim %$seen.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %112 = stablehlo.broadcast_in_dim %111, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<8x96xf32>
    %113 = stablehlo.add %110, %112 : tensor<8x96xf32>
    %114 = stablehlo.dot_general %109, %$known.w, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<192xf32>, tensor<192x384xf32>) -> tensor<384xf32>
    %115 = stablehlo.add %114, %$known.b : tensor<384xf32>
    %116 = stablehlo.reshape %115 : (tensor<384xf32>) -> tensor<4x96xf32>
    %117 = stablehlo.concatenate %113, %116, dim = 0 : (tensor<8x96xf32>, tensor<4x96xf32>) -> tensor<12x96xf32>
    %118 = stablehlo.add %117, %$context_position : tensor<12x96xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %119 = stablehlo.reduce(%118 init: %cst_26) applies stablehlo.add across dimensions = [1] : (tensor<12x96xf32>, tensor<f32>) -> tensor<12xf32>
    %120 = stablehlo.broadcast_in_dim %119, dims = [0] : (tensor<12xf32>) -> tensor<12x1xf32>
    %cst_27 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<12x1xf32>
    %122 = stablehlo.divide %120, %121 : tensor<12x1xf32>
    %123 = stablehlo.broadcast_in_dim %122, dims = [0, 1] : (tensor<12x1xf32>) -> tensor<12x96xf32>
    %124 = stablehlo.subtract %118, %123 : tensor<12x96xf32>
    %125 = stablehlo.multiply %124, %124 : tensor<12x96xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %126 = stablehlo.reduce(%125 init: %cst_28) applies stablehlo.add across dimensions = [1] : (tensor<12x96xf32>, tensor<f32>) -> tensor<12xf32>
    %127 = stablehlo.broadcast_in_dim %126, dims = [0] : (tensor<12xf32>) -> tensor<12x1xf32>
    %cst_29 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %128 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<12x1xf32>
    %129 = stablehlo.divide %127, %128 : tensor<12x1xf32>
    %cst_30 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %130 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<12x1xf32>
    %131 = stablehlo.add %129, %130 : tensor<12x1xf32>
    %132 = stablehlo.rsqrt %131 : tensor<12x1xf32>
    %133 = stablehlo.broadcast_in_dim %132, dims = [0, 1] : (tensor<12x1xf32>) -> tensor<12x96xf32>
    %134 = stablehlo.multiply %124, %133 : tensor<12x96xf32>
    %135 = stablehlo.dot_general %109, %$modulate_chunk.w, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<192xf32>, tensor<192x384xf32>) -> tensor<384xf32>
    %136 = stablehlo.add %135, %$modulate_chunk.b : tensor<384xf32>
    %137 = stablehlo.reshape %136 : (tensor<384xf32>) -> tensor<4x96xf32>
    %138 = stablehlo.dot_general %134, %$layer0.context.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<12x96xf32>, tensor<96x192xf32>) -> tensor<12x192xf32>
    %139 = stablehlo.broadcast_in_dim %$layer0.context.b, dims = [1] : (tensor<192xf32>) -> tensor<1x192xf32>
    %140 = stablehlo.broadcast_in_dim %139, dims = [0, 1] : (tensor<1x192xf32>) -> tensor<12x192xf32>
    %141 = stablehlo.add %138, %140 : tensor<12x192xf32>
    %142 = stablehlo.slice %141 [0:12, 0:96] : (tensor<12x192xf32>) -> tensor<12x96xf32>
    %143 = stablehlo.slice %141 [0:12, 96:192] : (tensor<12x192xf32>) -> tensor<12x96xf32>
    %144 = stablehlo.add %137, %$layer0.modulation : tensor<4x96xf32>
    %145 = stablehlo.concatenate %142, %143, %144, dim = 0 : (tensor<12x96xf32>, tensor<12x96xf32>, tensor<4x96xf32>) -> tensor<28x96xf32>
    %146 = stablehlo.dot_general %134, %$layer1.context.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<12x96xf32>, tensor<96x192xf32>) -> tensor<12x192xf32>
    %147 = stablehlo.broadcast_in_dim %$layer1.context.b, dims = [1] : (tensor<192xf32>) -> tensor<1x192xf32>
    %148 = stablehlo.broadcast_in_dim %147, dims = [0, 1] : (tensor<1x192xf32>) -> tensor<12x192xf32>
    %149 = stablehlo.add %146, %148 : tensor<12x192xf32>
    %150 = stablehlo.slice %149 [0:12, 0:96] : (tensor<12x192xf32>) -> tensor<12x96xf32>
    %151 = stablehlo.slice %149 [0:12, 96:192] : (tensor<12x192xf32>) -> tensor<12x96xf32>
    %152 = stablehlo.add %137, %$layer1.modulation : tensor<4x96xf32>
    %153 = stablehlo.concatenate %150, %151, %152, dim = 0 : (tensor<12x96xf32>, tensor<12x96xf32>, tensor<4x96xf32>) -> tensor<28x96xf32>
    %154 = stablehlo.dot_general %134, %$layer2.context.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<12x96xf32>, tensor<96x192xf32>) -> tensor<12x192xf32>
    %155 = stablehlo.broadcast_in_dim %$layer2.context.b, dims = [1] : (tensor<192xf32>) -> tensor<1x192xf32>
    %156 = stablehlo.broadcast_in_dim %155, dims = [0, 1] : (tensor<1x192xf32>) -> tensor<12x192xf32>
    %157 = stablehlo.add %154, %156 : tensor<12x192xf32>
    %158 = stablehlo.slice %157 [0:12, 0:96] : (tensor<12x192xf32>) -> tensor<12x96xf32>
    %159 = stablehlo.slice %157 [0:12, 96:192] : (tensor<12x192xf32>) -> tensor<12x96xf32>
    %160 = stablehlo.add %137, %$layer2.modulation : tensor<4x96xf32>
    %161 = stablehlo.concatenate %158, %159, %160, dim = 0 : (tensor<12x96xf32>, tensor<12x96xf32>, tensor<4x96xf32>) -> tensor<28x96xf32>
    %162 = stablehlo.broadcast_in_dim %145, dims = [1, 2] : (tensor<28x96xf32>) -> tensor<1x28x96xf32>
    %163 = stablehlo.broadcast_in_dim %153, dims = [1, 2] : (tensor<28x96xf32>) -> tensor<1x28x96xf32>
    %164 = stablehlo.broadcast_in_dim %161, dims = [1, 2] : (tensor<28x96xf32>) -> tensor<1x28x96xf32>
    %165 = stablehlo.concatenate %162, %163, %164, dim = 0 : (tensor<1x28x96xf32>, tensor<1x28x96xf32>, tensor<1x28x96xf32>) -> tensor<3x28x96xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    return %165, %arg2, %cst_31, %6 : tensor<3x28x96xf32>, tensor<16x4xf32>, tensor<f32>, tensor<16x4xf32>
  }
  func.func public @step(%arg0: tensor<3x28x96xf32>, %arg1: tensor<16x4xf32>, %arg2: tensor<f32>, %arg3: tensor<f32>, %arg4: tensor<16x4xf32> {iree.abi.output = 0 : index}, %arg5: tensor<f32> {iree.abi.output = 1 : index}, %arg6: !hal.buffer {iree.abi.transients}) -> (tensor<16x4xf32>, tensor<f32>) attributes {iree.reflection = {polyrhythm.inputs = "cond,x,t,dt", polyrhythm.outputs = "x,t"}} {
    %0:4 = util.optimization_barrier %arg0, %arg1, %arg2, %arg3 : tensor<3x28x96xf32>, tensor<16x4xf32>, tensor<f32>, tensor<f32>
    %$action_in.b = util.global.load @"$action_in.b" : tensor<96xf32>
    %$action_in.w = util.global.load @"$action_in.w" : tensor<4x96xf32>
    %$action_out.b = util.global.load @"$action_out.b" : tensor<4xf32>
    %$action_out.w = util.global.load @"$action_out.w" : tensor<96x4xf32>
    %$clock0.b = util.global.load @"$clock0.b" : tensor<96xf32>
    %$clock0.w = util.global.load @"$clock0.w" : tensor<64x96xf32>
    %$clock1.b = util.global.load @"$clock1.b" : tensor<384xf32>
    %$clock1.w = util.global.load @"$clock1.w" : tensor<96x384xf32>
    %$layer0.context_out.b = util.global.load @"$layer0.context_out.b" : tensor<96xf32>
    %$layer0.context_out.w = util.global.load @"$layer0.context_out.w" : tensor<96x96xf32>
    %$layer0.down.b = util.global.load @"$layer0.down.b" : tensor<96xf32>
    %$layer0.down.w = util.global.load @"$layer0.down.w" : tensor<192x96xf32>
    %$layer0.query.b = util.global.load @"$layer0.query.b" : tensor<96xf32>
    %$layer0.query.w = util.global.load @"$layer0.query.w" : tensor<96x96xf32>
    %$layer0.self.b = util.global.load @"$layer0.self.b" : tensor<288xf32>
    %$layer0.self.w = util.global.load @"$layer0.self.w" : tensor<96x288xf32>
    %$layer0.self_out.b = util.global.load @"$layer0.self_out.b" : tensor<96xf32>
    %$layer0.self_out.w = util.global.load @"$layer0.self_out.w" : tensor<96x96xf32>
    %$layer0.up.b = util.global.load @"$layer0.up.b" : tensor<192xf32>
    %$layer0.up.w = util.global.load @"$layer0.up.w" : tensor<96x192xf32>
    %$layer1.context_out.b = util.global.load @"$layer1.context_out.b" : tensor<96xf32>
    %$layer1.context_out.w = util.global.load @"$layer1.context_out.w" : tensor<96x96xf32>
    %$layer1.down.b = util.global.load @"$layer1.down.b" : tensor<96xf32>
    %$layer1.down.w = util.global.load @"$layer1.down.w" : tensor<192x96xf32>
    %$layer1.query.b = util.global.load @"$layer1.query.b" : tensor<96xf32>
    %$layer1.query.w = util.global.load @"$layer1.query.w" : tensor<96x96xf32>
    %$layer1.self.b = util.global.load @"$layer1.self.b" : tensor<288xf32>
    %$layer1.self.w = util.global.load @"$layer1.self.w" : tensor<96x288xf32>
    %$layer1.self_out.b = util.global.load @"$layer1.self_out.b" : tensor<96xf32>
    %$layer1.self_out.w = util.global.load @"$layer1.self_out.w" : tensor<96x96xf32>
    %$layer1.up.b = util.global.load @"$layer1.up.b" : tensor<192xf32>
    %$layer1.up.w = util.global.load @"$layer1.up.w" : tensor<96x192xf32>
    %$layer2.context_out.b = util.global.load @"$layer2.context_out.b" : tensor<96xf32>
    %$layer2.context_out.w = util.global.load @"$layer2.context_out.w" : tensor<96x96xf32>
    %$layer2.down.b = util.global.load @"$layer2.down.b" : tensor<96xf32>
    %$layer2.down.w = util.global.load @"$layer2.down.w" : tensor<192x96xf32>
    %$layer2.query.b = util.global.load @"$layer2.query.b" : tensor<96xf32>
    %$layer2.query.w = util.global.load @"$layer2.query.w" : tensor<96x96xf32>
    %$layer2.self.b = util.global.load @"$layer2.self.b" : tensor<288xf32>
    %$layer2.self.w = util.global.load @"$layer2.self.w" : tensor<96x288xf32>
    %$layer2.self_out.b = util.global.load @"$layer2.self_out.b" : tensor<96xf32>
    %$layer2.self_out.w = util.global.load @"$layer2.self_out.w" : tensor<96x96xf32>
    %$layer2.up.b = util.global.load @"$layer2.up.b" : tensor<192xf32>
    %$layer2.up.w = util.global.load @"$layer2.up.w" : tensor<96x192xf32>
    %$tick_position = util.global.load @"$tick_position" : tensor<16x96xf32>
    %cst = stablehlo.constant dense<[1.000000e+00, 1.1601553, 1.34596038, 1.56152296, 1.81160915, 2.10174799, 2.43835402, 2.82886934, 3.28192782, 3.80754614, 4.41734457, 5.12480593, 5.94557094, 6.89778519, 8.00250244, 9.28414535, 10.7710505, 12.4960918, 14.497407, 16.8192425, 19.5129337, 22.6380348, 26.2636356, 30.4698963, 35.3498116, 41.0112724, 47.5794449, 55.199543, 64.040039, 74.2963943, 86.1953582, 1.000000e+02]> : tensor<32xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<1xf32>) -> tensor<32xf32>
    %3 = stablehlo.multiply %2, %cst : tensor<32xf32>
    %4 = stablehlo.cosine %3 : tensor<32xf32>
    %5 = stablehlo.sine %3 : tensor<32xf32>
    %6 = stablehlo.concatenate %4, %5, dim = 0 : (tensor<32xf32>, tensor<32xf32>) -> tensor<64xf32>
    %7 = stablehlo.dot_general %6, %$clock0.w, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64xf32>, tensor<64x96xf32>) -> tensor<96xf32>
    %8 = stablehlo.add %7, %$clock0.b : tensor<96xf32>
    %9 = call @step$silu(%8) : (tensor<96xf32>) -> tensor<96xf32>
    %10 = stablehlo.dot_general %9, %$clock1.w, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<96xf32>, tensor<96x384xf32>) -> tensor<384xf32>
    %11 = stablehlo.add %10, %$clock1.b : tensor<384xf32>
    %12 = stablehlo.reshape %11 : (tensor<384xf32>) -> tensor<4x96xf32>
    %13 = stablehlo.dot_general %arg1, %$action_in.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x4xf32>, tensor<4x96xf32>) -> tensor<16x96xf32>
    %14 = stablehlo.broadcast_in_dim %$action_in.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %16 = stablehlo.add %13, %15 : tensor<16x96xf32>
    %17 = stablehlo.add %16, %$tick_position : tensor<16x96xf32>
    %18 = stablehlo.slice %arg0 [0:1, 0:12, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x12x96xf32>
    %19 = stablehlo.reshape %18 : (tensor<1x12x96xf32>) -> tensor<12x96xf32>
    %20 = stablehlo.slice %arg0 [0:1, 12:24, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x12x96xf32>
    %21 = stablehlo.reshape %20 : (tensor<1x12x96xf32>) -> tensor<12x96xf32>
    %22 = stablehlo.slice %arg0 [0:1, 24:28, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x4x96xf32>
    %23 = stablehlo.reshape %22 : (tensor<1x4x96xf32>) -> tensor<4x96xf32>
    %24 = stablehlo.add %23, %12 : tensor<4x96xf32>
    %25 = stablehlo.slice %24 [0:1, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %26 = stablehlo.reshape %25 : (tensor<1x96xf32>) -> tensor<96xf32>
    %27 = stablehlo.slice %24 [1:2, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %28 = stablehlo.reshape %27 : (tensor<1x96xf32>) -> tensor<96xf32>
    %29 = stablehlo.slice %24 [2:3, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %30 = stablehlo.reshape %29 : (tensor<1x96xf32>) -> tensor<96xf32>
    %31 = stablehlo.slice %24 [3:4, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %32 = stablehlo.reshape %31 : (tensor<1x96xf32>) -> tensor<96xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.reduce(%17 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_1 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %36 = stablehlo.divide %34, %35 : tensor<16x1xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %38 = stablehlo.subtract %17, %37 : tensor<16x96xf32>
    %39 = stablehlo.multiply %38, %38 : tensor<16x96xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %40 = stablehlo.reduce(%39 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_3 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %43 = stablehlo.divide %41, %42 : tensor<16x1xf32>
    %cst_4 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %45 = stablehlo.add %43, %44 : tensor<16x1xf32>
    %46 = stablehlo.rsqrt %45 : tensor<16x1xf32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %48 = stablehlo.multiply %38, %47 : tensor<16x96xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<96xf32>
    %50 = stablehlo.add %49, %28 : tensor<96xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %53 = stablehlo.multiply %48, %52 : tensor<16x96xf32>
    %54 = stablehlo.broadcast_in_dim %26, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %56 = stablehlo.add %53, %55 : tensor<16x96xf32>
    %57 = stablehlo.dot_general %56, %$layer0.self.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x288xf32>) -> tensor<16x288xf32>
    %58 = stablehlo.broadcast_in_dim %$layer0.self.b, dims = [1] : (tensor<288xf32>) -> tensor<1x288xf32>
    %59 = stablehlo.broadcast_in_dim %58, dims = [0, 1] : (tensor<1x288xf32>) -> tensor<16x288xf32>
    %60 = stablehlo.add %57, %59 : tensor<16x288xf32>
    %61 = stablehlo.slice %60 [0:16, 0:96] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %62 = stablehlo.slice %60 [0:16, 96:192] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %63 = stablehlo.slice %60 [0:16, 192:288] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %64 = stablehlo.reshape %61 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %65 = stablehlo.transpose %64, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %66 = stablehlo.reshape %62 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %67 = stablehlo.transpose %66, dims = [1, 2, 0] : (tensor<16x4x24xf32>) -> tensor<4x24x16xf32>
    %68 = stablehlo.reshape %63 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %69 = stablehlo.transpose %68, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %70 = stablehlo.dot_general %65, %67, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x24x16xf32>) -> tensor<4x16x16xf32>
    %cst_6 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %72 = stablehlo.multiply %70, %71 : tensor<4x16x16xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %73 = stablehlo.reduce(%72 init: %cst_7) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %75 = stablehlo.maximum %74, %73 : tensor<4x16xf32>
    %76 = stablehlo.broadcast_in_dim %75, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %77 = stablehlo.broadcast_in_dim %76, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %78 = stablehlo.subtract %72, %77 : tensor<4x16x16xf32>
    %79 = stablehlo.exponential %78 : tensor<4x16x16xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %80 = stablehlo.reduce(%79 init: %cst_9) applies stablehlo.add across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %81 = stablehlo.broadcast_in_dim %80, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %82 = stablehlo.broadcast_in_dim %81, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %83 = stablehlo.divide %79, %82 : tensor<4x16x16xf32>
    %84 = stablehlo.dot_general %83, %69, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x16xf32>, tensor<4x16x24xf32>) -> tensor<4x16x24xf32>
    %85 = stablehlo.transpose %84, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %86 = stablehlo.reshape %85 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %87 = stablehlo.dot_general %86, %$layer0.self_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %88 = stablehlo.broadcast_in_dim %$layer0.self_out.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %89 = stablehlo.broadcast_in_dim %88, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %90 = stablehlo.add %87, %89 : tensor<16x96xf32>
    %91 = stablehlo.add %17, %90 : tensor<16x96xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %92 = stablehlo.reduce(%91 init: %cst_10) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %93 = stablehlo.broadcast_in_dim %92, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_11 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %94 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %95 = stablehlo.divide %93, %94 : tensor<16x1xf32>
    %96 = stablehlo.broadcast_in_dim %95, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %97 = stablehlo.subtract %91, %96 : tensor<16x96xf32>
    %98 = stablehlo.multiply %97, %97 : tensor<16x96xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %99 = stablehlo.reduce(%98 init: %cst_12) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %100 = stablehlo.broadcast_in_dim %99, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_13 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %101 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %102 = stablehlo.divide %100, %101 : tensor<16x1xf32>
    %cst_14 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %103 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %104 = stablehlo.add %102, %103 : tensor<16x1xf32>
    %105 = stablehlo.rsqrt %104 : tensor<16x1xf32>
    %106 = stablehlo.broadcast_in_dim %105, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %107 = stablehlo.multiply %97, %106 : tensor<16x96xf32>
    %108 = stablehlo.dot_general %107, %$layer0.query.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %109 = stablehlo.broadcast_in_dim %$layer0.query.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %110 = stablehlo.broadcast_in_dim %109, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %111 = stablehlo.add %108, %110 : tensor<16x96xf32>
    %112 = stablehlo.reshape %111 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %113 = stablehlo.transpose %112, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %114 = stablehlo.reshape %19 : (tensor<12x96xf32>) -> tensor<12x4x24xf32>
    %115 = stablehlo.transpose %114, dims = [1, 2, 0] : (tensor<12x4x24xf32>) -> tensor<4x24x12xf32>
    %116 = stablehlo.reshape %21 : (tensor<12x96xf32>) -> tensor<12x4x24xf32>
    %117 = stablehlo.transpose %116, dims = [1, 0, 2] : (tensor<12x4x24xf32>) -> tensor<4x12x24xf32>
    %118 = stablehlo.dot_general %113, %115, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x24x12xf32>) -> tensor<4x16x12xf32>
    %cst_15 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %119 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x16x12xf32>
    %120 = stablehlo.multiply %118, %119 : tensor<4x16x12xf32>
    %cst_16 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %121 = stablehlo.reduce(%120 init: %cst_16) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x12xf32>, tensor<f32>) -> tensor<4x16xf32>
    %cst_17 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %123 = stablehlo.maximum %122, %121 : tensor<4x16xf32>
    %124 = stablehlo.broadcast_in_dim %123, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %125 = stablehlo.broadcast_in_dim %124, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %126 = stablehlo.subtract %120, %125 : tensor<4x16x12xf32>
    %127 = stablehlo.exponential %126 : tensor<4x16x12xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %128 = stablehlo.reduce(%127 init: %cst_18) applies stablehlo.add across dimensions = [2] : (tensor<4x16x12xf32>, tensor<f32>) -> tensor<4x16xf32>
    %129 = stablehlo.broadcast_in_dim %128, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %130 = stablehlo.broadcast_in_dim %129, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %131 = stablehlo.divide %127, %130 : tensor<4x16x12xf32>
    %132 = stablehlo.dot_general %131, %117, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x12xf32>, tensor<4x12x24xf32>) -> tensor<4x16x24xf32>
    %133 = stablehlo.transpose %132, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %134 = stablehlo.reshape %133 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %135 = stablehlo.dot_general %134, %$layer0.context_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %136 = stablehlo.broadcast_in_dim %$layer0.context_out.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %137 = stablehlo.broadcast_in_dim %136, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %138 = stablehlo.add %135, %137 : tensor<16x96xf32>
    %139 = stablehlo.add %91, %138 : tensor<16x96xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %140 = stablehlo.reduce(%139 init: %cst_19) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %141 = stablehlo.broadcast_in_dim %140, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_20 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %142 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %143 = stablehlo.divide %141, %142 : tensor<16x1xf32>
    %144 = stablehlo.broadcast_in_dim %143, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %145 = stablehlo.subtract %139, %144 : tensor<16x96xf32>
    %146 = stablehlo.multiply %145, %145 : tensor<16x96xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %147 = stablehlo.reduce(%146 init: %cst_21) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %148 = stablehlo.broadcast_in_dim %147, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_22 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %149 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %150 = stablehlo.divide %148, %149 : tensor<16x1xf32>
    %cst_23 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %151 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %152 = stablehlo.add %150, %151 : tensor<16x1xf32>
    %153 = stablehlo.rsqrt %152 : tensor<16x1xf32>
    %154 = stablehlo.broadcast_in_dim %153, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %155 = stablehlo.multiply %145, %154 : tensor<16x96xf32>
    %cst_24 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %156 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<96xf32>
    %157 = stablehlo.add %156, %32 : tensor<96xf32>
    %158 = stablehlo.broadcast_in_dim %157, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %159 = stablehlo.broadcast_in_dim %158, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %160 = stablehlo.multiply %155, %159 : tensor<16x96xf32>
    %161 = stablehlo.broadcast_in_dim %30, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %162 = stablehlo.broadcast_in_dim %161, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %163 = stablehlo.add %160, %162 : tensor<16x96xf32>
    %164 = stablehlo.dot_general %163, %$layer0.up.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x192xf32>) -> tensor<16x192xf32>
    %165 = stablehlo.broadcast_in_dim %$layer0.up.b, dims = [1] : (tensor<192xf32>) -> tensor<1x192xf32>
    %166 = stablehlo.broadcast_in_dim %165, dims = [0, 1] : (tensor<1x192xf32>) -> tensor<16x192xf32>
    %167 = stablehlo.add %164, %166 : tensor<16x192xf32>
    %168 = stablehlo.multiply %167, %167 : tensor<16x192xf32>
    %169 = stablehlo.multiply %168, %167 : tensor<16x192xf32>
    %cst_25 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %170 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %171 = stablehlo.multiply %170, %169 : tensor<16x192xf32>
    %172 = stablehlo.add %167, %171 : tensor<16x192xf32>
    %cst_26 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %173 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %174 = stablehlo.multiply %173, %172 : tensor<16x192xf32>
    %175 = stablehlo.tanh %174 : tensor<16x192xf32>
    %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %176 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %177 = stablehlo.add %176, %175 : tensor<16x192xf32>
    %cst_28 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %178 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %179 = stablehlo.multiply %178, %177 : tensor<16x192xf32>
    %180 = stablehlo.multiply %167, %179 : tensor<16x192xf32>
    %181 = stablehlo.dot_general %180, %$layer0.down.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x192xf32>, tensor<192x96xf32>) -> tensor<16x96xf32>
    %182 = stablehlo.broadcast_in_dim %$layer0.down.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %183 = stablehlo.broadcast_in_dim %182, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %184 = stablehlo.add %181, %183 : tensor<16x96xf32>
    %185 = stablehlo.add %139, %184 : tensor<16x96xf32>
    %186 = stablehlo.slice %arg0 [1:2, 0:12, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x12x96xf32>
    %187 = stablehlo.reshape %186 : (tensor<1x12x96xf32>) -> tensor<12x96xf32>
    %188 = stablehlo.slice %arg0 [1:2, 12:24, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x12x96xf32>
    %189 = stablehlo.reshape %188 : (tensor<1x12x96xf32>) -> tensor<12x96xf32>
    %190 = stablehlo.slice %arg0 [1:2, 24:28, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x4x96xf32>
    %191 = stablehlo.reshape %190 : (tensor<1x4x96xf32>) -> tensor<4x96xf32>
    %192 = stablehlo.add %191, %12 : tensor<4x96xf32>
    %193 = stablehlo.slice %192 [0:1, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %194 = stablehlo.reshape %193 : (tensor<1x96xf32>) -> tensor<96xf32>
    %195 = stablehlo.slice %192 [1:2, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %196 = stablehlo.reshape %195 : (tensor<1x96xf32>) -> tensor<96xf32>
    %197 = stablehlo.slice %192 [2:3, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %198 = stablehlo.reshape %197 : (tensor<1x96xf32>) -> tensor<96xf32>
    %199 = stablehlo.slice %192 [3:4, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %200 = stablehlo.reshape %199 : (tensor<1x96xf32>) -> tensor<96xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %201 = stablehlo.reduce(%185 init: %cst_29) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %202 = stablehlo.broadcast_in_dim %201, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_30 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %203 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %204 = stablehlo.divide %202, %203 : tensor<16x1xf32>
    %205 = stablehlo.broadcast_in_dim %204, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %206 = stablehlo.subtract %185, %205 : tensor<16x96xf32>
    %207 = stablehlo.multiply %206, %206 : tensor<16x96xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %208 = stablehlo.reduce(%207 init: %cst_31) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %209 = stablehlo.broadcast_in_dim %208, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_32 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %210 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %211 = stablehlo.divide %209, %210 : tensor<16x1xf32>
    %cst_33 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %212 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %213 = stablehlo.add %211, %212 : tensor<16x1xf32>
    %214 = stablehlo.rsqrt %213 : tensor<16x1xf32>
    %215 = stablehlo.broadcast_in_dim %214, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %216 = stablehlo.multiply %206, %215 : tensor<16x96xf32>
    %cst_34 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %217 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<96xf32>
    %218 = stablehlo.add %217, %196 : tensor<96xf32>
    %219 = stablehlo.broadcast_in_dim %218, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %220 = stablehlo.broadcast_in_dim %219, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %221 = stablehlo.multiply %216, %220 : tensor<16x96xf32>
    %222 = stablehlo.broadcast_in_dim %194, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %223 = stablehlo.broadcast_in_dim %222, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %224 = stablehlo.add %221, %223 : tensor<16x96xf32>
    %225 = stablehlo.dot_general %224, %$layer1.self.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x288xf32>) -> tensor<16x288xf32>
    %226 = stablehlo.broadcast_in_dim %$layer1.self.b, dims = [1] : (tensor<288xf32>) -> tensor<1x288xf32>
    %227 = stablehlo.broadcast_in_dim %226, dims = [0, 1] : (tensor<1x288xf32>) -> tensor<16x288xf32>
    %228 = stablehlo.add %225, %227 : tensor<16x288xf32>
    %229 = stablehlo.slice %228 [0:16, 0:96] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %230 = stablehlo.slice %228 [0:16, 96:192] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %231 = stablehlo.slice %228 [0:16, 192:288] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %232 = stablehlo.reshape %229 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %233 = stablehlo.transpose %232, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %234 = stablehlo.reshape %230 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %235 = stablehlo.transpose %234, dims = [1, 2, 0] : (tensor<16x4x24xf32>) -> tensor<4x24x16xf32>
    %236 = stablehlo.reshape %231 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %237 = stablehlo.transpose %236, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %238 = stablehlo.dot_general %233, %235, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x24x16xf32>) -> tensor<4x16x16xf32>
    %cst_35 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %239 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %240 = stablehlo.multiply %238, %239 : tensor<4x16x16xf32>
    %cst_36 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %241 = stablehlo.reduce(%240 init: %cst_36) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %cst_37 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %242 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %243 = stablehlo.maximum %242, %241 : tensor<4x16xf32>
    %244 = stablehlo.broadcast_in_dim %243, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %245 = stablehlo.broadcast_in_dim %244, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %246 = stablehlo.subtract %240, %245 : tensor<4x16x16xf32>
    %247 = stablehlo.exponential %246 : tensor<4x16x16xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %248 = stablehlo.reduce(%247 init: %cst_38) applies stablehlo.add across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %249 = stablehlo.broadcast_in_dim %248, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %250 = stablehlo.broadcast_in_dim %249, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %251 = stablehlo.divide %247, %250 : tensor<4x16x16xf32>
    %252 = stablehlo.dot_general %251, %237, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x16xf32>, tensor<4x16x24xf32>) -> tensor<4x16x24xf32>
    %253 = stablehlo.transpose %252, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %254 = stablehlo.reshape %253 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %255 = stablehlo.dot_general %254, %$layer1.self_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %256 = stablehlo.broadcast_in_dim %$layer1.self_out.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %257 = stablehlo.broadcast_in_dim %256, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %258 = stablehlo.add %255, %257 : tensor<16x96xf32>
    %259 = stablehlo.add %185, %258 : tensor<16x96xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %260 = stablehlo.reduce(%259 init: %cst_39) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %261 = stablehlo.broadcast_in_dim %260, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_40 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %262 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %263 = stablehlo.divide %261, %262 : tensor<16x1xf32>
    %264 = stablehlo.broadcast_in_dim %263, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %265 = stablehlo.subtract %259, %264 : tensor<16x96xf32>
    %266 = stablehlo.multiply %265, %265 : tensor<16x96xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %267 = stablehlo.reduce(%266 init: %cst_41) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %268 = stablehlo.broadcast_in_dim %267, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_42 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %269 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %270 = stablehlo.divide %268, %269 : tensor<16x1xf32>
    %cst_43 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %271 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %272 = stablehlo.add %270, %271 : tensor<16x1xf32>
    %273 = stablehlo.rsqrt %272 : tensor<16x1xf32>
    %274 = stablehlo.broadcast_in_dim %273, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %275 = stablehlo.multiply %265, %274 : tensor<16x96xf32>
    %276 = stablehlo.dot_general %275, %$layer1.query.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %277 = stablehlo.broadcast_in_dim %$layer1.query.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %278 = stablehlo.broadcast_in_dim %277, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %279 = stablehlo.add %276, %278 : tensor<16x96xf32>
    %280 = stablehlo.reshape %279 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %281 = stablehlo.transpose %280, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %282 = stablehlo.reshape %187 : (tensor<12x96xf32>) -> tensor<12x4x24xf32>
    %283 = stablehlo.transpose %282, dims = [1, 2, 0] : (tensor<12x4x24xf32>) -> tensor<4x24x12xf32>
    %284 = stablehlo.reshape %189 : (tensor<12x96xf32>) -> tensor<12x4x24xf32>
    %285 = stablehlo.transpose %284, dims = [1, 0, 2] : (tensor<12x4x24xf32>) -> tensor<4x12x24xf32>
    %286 = stablehlo.dot_general %281, %283, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x24x12xf32>) -> tensor<4x16x12xf32>
    %cst_44 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %287 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<4x16x12xf32>
    %288 = stablehlo.multiply %286, %287 : tensor<4x16x12xf32>
    %cst_45 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %289 = stablehlo.reduce(%288 init: %cst_45) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x12xf32>, tensor<f32>) -> tensor<4x16xf32>
    %cst_46 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %290 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %291 = stablehlo.maximum %290, %289 : tensor<4x16xf32>
    %292 = stablehlo.broadcast_in_dim %291, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %293 = stablehlo.broadcast_in_dim %292, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %294 = stablehlo.subtract %288, %293 : tensor<4x16x12xf32>
    %295 = stablehlo.exponential %294 : tensor<4x16x12xf32>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %296 = stablehlo.reduce(%295 init: %cst_47) applies stablehlo.add across dimensions = [2] : (tensor<4x16x12xf32>, tensor<f32>) -> tensor<4x16xf32>
    %297 = stablehlo.broadcast_in_dim %296, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %298 = stablehlo.broadcast_in_dim %297, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %299 = stablehlo.divide %295, %298 : tensor<4x16x12xf32>
    %300 = stablehlo.dot_general %299, %285, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x12xf32>, tensor<4x12x24xf32>) -> tensor<4x16x24xf32>
    %301 = stablehlo.transpose %300, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %302 = stablehlo.reshape %301 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %303 = stablehlo.dot_general %302, %$layer1.context_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %304 = stablehlo.broadcast_in_dim %$layer1.context_out.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %305 = stablehlo.broadcast_in_dim %304, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %306 = stablehlo.add %303, %305 : tensor<16x96xf32>
    %307 = stablehlo.add %259, %306 : tensor<16x96xf32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %308 = stablehlo.reduce(%307 init: %cst_48) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %309 = stablehlo.broadcast_in_dim %308, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_49 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %310 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %311 = stablehlo.divide %309, %310 : tensor<16x1xf32>
    %312 = stablehlo.broadcast_in_dim %311, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %313 = stablehlo.subtract %307, %312 : tensor<16x96xf32>
    %314 = stablehlo.multiply %313, %313 : tensor<16x96xf32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %315 = stablehlo.reduce(%314 init: %cst_50) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %316 = stablehlo.broadcast_in_dim %315, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_51 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %317 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %318 = stablehlo.divide %316, %317 : tensor<16x1xf32>
    %cst_52 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %319 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %320 = stablehlo.add %318, %319 : tensor<16x1xf32>
    %321 = stablehlo.rsqrt %320 : tensor<16x1xf32>
    %322 = stablehlo.broadcast_in_dim %321, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %323 = stablehlo.multiply %313, %322 : tensor<16x96xf32>
    %cst_53 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %324 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<96xf32>
    %325 = stablehlo.add %324, %200 : tensor<96xf32>
    %326 = stablehlo.broadcast_in_dim %325, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %327 = stablehlo.broadcast_in_dim %326, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %328 = stablehlo.multiply %323, %327 : tensor<16x96xf32>
    %329 = stablehlo.broadcast_in_dim %198, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %330 = stablehlo.broadcast_in_dim %329, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %331 = stablehlo.add %328, %330 : tensor<16x96xf32>
    %332 = stablehlo.dot_general %331, %$layer1.up.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x192xf32>) -> tensor<16x192xf32>
    %333 = stablehlo.broadcast_in_dim %$layer1.up.b, dims = [1] : (tensor<192xf32>) -> tensor<1x192xf32>
    %334 = stablehlo.broadcast_in_dim %333, dims = [0, 1] : (tensor<1x192xf32>) -> tensor<16x192xf32>
    %335 = stablehlo.add %332, %334 : tensor<16x192xf32>
    %336 = stablehlo.multiply %335, %335 : tensor<16x192xf32>
    %337 = stablehlo.multiply %336, %335 : tensor<16x192xf32>
    %cst_54 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %338 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %339 = stablehlo.multiply %338, %337 : tensor<16x192xf32>
    %340 = stablehlo.add %335, %339 : tensor<16x192xf32>
    %cst_55 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %341 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %342 = stablehlo.multiply %341, %340 : tensor<16x192xf32>
    %343 = stablehlo.tanh %342 : tensor<16x192xf32>
    %cst_56 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %344 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %345 = stablehlo.add %344, %343 : tensor<16x192xf32>
    %cst_57 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %346 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %347 = stablehlo.multiply %346, %345 : tensor<16x192xf32>
    %348 = stablehlo.multiply %335, %347 : tensor<16x192xf32>
    %349 = stablehlo.dot_general %348, %$layer1.down.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x192xf32>, tensor<192x96xf32>) -> tensor<16x96xf32>
    %350 = stablehlo.broadcast_in_dim %$layer1.down.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %351 = stablehlo.broadcast_in_dim %350, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %352 = stablehlo.add %349, %351 : tensor<16x96xf32>
    %353 = stablehlo.add %307, %352 : tensor<16x96xf32>
    %354 = stablehlo.slice %arg0 [2:3, 0:12, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x12x96xf32>
    %355 = stablehlo.reshape %354 : (tensor<1x12x96xf32>) -> tensor<12x96xf32>
    %356 = stablehlo.slice %arg0 [2:3, 12:24, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x12x96xf32>
    %357 = stablehlo.reshape %356 : (tensor<1x12x96xf32>) -> tensor<12x96xf32>
    %358 = stablehlo.slice %arg0 [2:3, 24:28, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x4x96xf32>
    %359 = stablehlo.reshape %358 : (tensor<1x4x96xf32>) -> tensor<4x96xf32>
    %360 = stablehlo.add %359, %12 : tensor<4x96xf32>
    %361 = stablehlo.slice %360 [0:1, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %362 = stablehlo.reshape %361 : (tensor<1x96xf32>) -> tensor<96xf32>
    %363 = stablehlo.slice %360 [1:2, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %364 = stablehlo.reshape %363 : (tensor<1x96xf32>) -> tensor<96xf32>
    %365 = stablehlo.slice %360 [2:3, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %366 = stablehlo.reshape %365 : (tensor<1x96xf32>) -> tensor<96xf32>
    %367 = stablehlo.slice %360 [3:4, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %368 = stablehlo.reshape %367 : (tensor<1x96xf32>) -> tensor<96xf32>
    %cst_58 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %369 = stablehlo.reduce(%353 init: %cst_58) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %370 = stablehlo.broadcast_in_dim %369, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_59 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %371 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %372 = stablehlo.divide %370, %371 : tensor<16x1xf32>
    %373 = stablehlo.broadcast_in_dim %372, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %374 = stablehlo.subtract %353, %373 : tensor<16x96xf32>
    %375 = stablehlo.multiply %374, %374 : tensor<16x96xf32>
    %cst_60 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %376 = stablehlo.reduce(%375 init: %cst_60) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %377 = stablehlo.broadcast_in_dim %376, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_61 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %378 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %379 = stablehlo.divide %377, %378 : tensor<16x1xf32>
    %cst_62 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %380 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %381 = stablehlo.add %379, %380 : tensor<16x1xf32>
    %382 = stablehlo.rsqrt %381 : tensor<16x1xf32>
    %383 = stablehlo.broadcast_in_dim %382, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %384 = stablehlo.multiply %374, %383 : tensor<16x96xf32>
    %cst_63 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %385 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<96xf32>
    %386 = stablehlo.add %385, %364 : tensor<96xf32>
    %387 = stablehlo.broadcast_in_dim %386, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %388 = stablehlo.broadcast_in_dim %387, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %389 = stablehlo.multiply %384, %388 : tensor<16x96xf32>
    %390 = stablehlo.broadcast_in_dim %362, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %391 = stablehlo.broadcast_in_dim %390, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %392 = stablehlo.add %389, %391 : tensor<16x96xf32>
    %393 = stablehlo.dot_general %392, %$layer2.self.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x288xf32>) -> tensor<16x288xf32>
    %394 = stablehlo.broadcast_in_dim %$layer2.self.b, dims = [1] : (tensor<288xf32>) -> tensor<1x288xf32>
    %395 = stablehlo.broadcast_in_dim %394, dims = [0, 1] : (tensor<1x288xf32>) -> tensor<16x288xf32>
    %396 = stablehlo.add %393, %395 : tensor<16x288xf32>
    %397 = stablehlo.slice %396 [0:16, 0:96] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %398 = stablehlo.slice %396 [0:16, 96:192] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %399 = stablehlo.slice %396 [0:16, 192:288] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %400 = stablehlo.reshape %397 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %401 = stablehlo.transpose %400, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %402 = stablehlo.reshape %398 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %403 = stablehlo.transpose %402, dims = [1, 2, 0] : (tensor<16x4x24xf32>) -> tensor<4x24x16xf32>
    %404 = stablehlo.reshape %399 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %405 = stablehlo.transpose %404, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %406 = stablehlo.dot_general %401, %403, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x24x16xf32>) -> tensor<4x16x16xf32>
    %cst_64 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %407 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %408 = stablehlo.multiply %406, %407 : tensor<4x16x16xf32>
    %cst_65 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %409 = stablehlo.reduce(%408 init: %cst_65) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %cst_66 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %410 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %411 = stablehlo.maximum %410, %409 : tensor<4x16xf32>
    %412 = stablehlo.broadcast_in_dim %411, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %413 = stablehlo.broadcast_in_dim %412, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %414 = stablehlo.subtract %408, %413 : tensor<4x16x16xf32>
    %415 = stablehlo.exponential %414 : tensor<4x16x16xf32>
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %416 = stablehlo.reduce(%415 init: %cst_67) applies stablehlo.add across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %417 = stablehlo.broadcast_in_dim %416, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %418 = stablehlo.broadcast_in_dim %417, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %419 = stablehlo.divide %415, %418 : tensor<4x16x16xf32>
    %420 = stablehlo.dot_general %419, %405, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x16xf32>, tensor<4x16x24xf32>) -> tensor<4x16x24xf32>
    %421 = stablehlo.transpose %420, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %422 = stablehlo.reshape %421 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %423 = stablehlo.dot_general %422, %$layer2.self_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %424 = stablehlo.broadcast_in_dim %$layer2.self_out.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %425 = stablehlo.broadcast_in_dim %424, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %426 = stablehlo.add %423, %425 : tensor<16x96xf32>
    %427 = stablehlo.add %353, %426 : tensor<16x96xf32>
    %cst_68 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %428 = stablehlo.reduce(%427 init: %cst_68) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %429 = stablehlo.broadcast_in_dim %428, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_69 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %430 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %431 = stablehlo.divide %429, %430 : tensor<16x1xf32>
    %432 = stablehlo.broadcast_in_dim %431, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %433 = stablehlo.subtract %427, %432 : tensor<16x96xf32>
    %434 = stablehlo.multiply %433, %433 : tensor<16x96xf32>
    %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %435 = stablehlo.reduce(%434 init: %cst_70) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %436 = stablehlo.broadcast_in_dim %435, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_71 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %437 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %438 = stablehlo.divide %436, %437 : tensor<16x1xf32>
    %cst_72 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %439 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %440 = stablehlo.add %438, %439 : tensor<16x1xf32>
    %441 = stablehlo.rsqrt %440 : tensor<16x1xf32>
    %442 = stablehlo.broadcast_in_dim %441, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %443 = stablehlo.multiply %433, %442 : tensor<16x96xf32>
    %444 = stablehlo.dot_general %443, %$layer2.query.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %445 = stablehlo.broadcast_in_dim %$layer2.query.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %446 = stablehlo.broadcast_in_dim %445, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %447 = stablehlo.add %444, %446 : tensor<16x96xf32>
    %448 = stablehlo.reshape %447 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %449 = stablehlo.transpose %448, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %450 = stablehlo.reshape %355 : (tensor<12x96xf32>) -> tensor<12x4x24xf32>
    %451 = stablehlo.transpose %450, dims = [1, 2, 0] : (tensor<12x4x24xf32>) -> tensor<4x24x12xf32>
    %452 = stablehlo.reshape %357 : (tensor<12x96xf32>) -> tensor<12x4x24xf32>
    %453 = stablehlo.transpose %452, dims = [1, 0, 2] : (tensor<12x4x24xf32>) -> tensor<4x12x24xf32>
    %454 = stablehlo.dot_general %449, %451, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x24x12xf32>) -> tensor<4x16x12xf32>
    %cst_73 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %455 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<4x16x12xf32>
    %456 = stablehlo.multiply %454, %455 : tensor<4x16x12xf32>
    %cst_74 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %457 = stablehlo.reduce(%456 init: %cst_74) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x12xf32>, tensor<f32>) -> tensor<4x16xf32>
    %cst_75 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %458 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %459 = stablehlo.maximum %458, %457 : tensor<4x16xf32>
    %460 = stablehlo.broadcast_in_dim %459, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %461 = stablehlo.broadcast_in_dim %460, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %462 = stablehlo.subtract %456, %461 : tensor<4x16x12xf32>
    %463 = stablehlo.exponential %462 : tensor<4x16x12xf32>
    %cst_76 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %464 = stablehlo.reduce(%463 init: %cst_76) applies stablehlo.add across dimensions = [2] : (tensor<4x16x12xf32>, tensor<f32>) -> tensor<4x16xf32>
    %465 = stablehlo.broadcast_in_dim %464, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %466 = stablehlo.broadcast_in_dim %465, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %467 = stablehlo.divide %463, %466 : tensor<4x16x12xf32>
    %468 = stablehlo.dot_general %467, %453, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x12xf32>, tensor<4x12x24xf32>) -> tensor<4x16x24xf32>
    %469 = stablehlo.transpose %468, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %470 = stablehlo.reshape %469 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %471 = stablehlo.dot_general %470, %$layer2.context_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %472 = stablehlo.broadcast_in_dim %$layer2.context_out.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %473 = stablehlo.broadcast_in_dim %472, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %474 = stablehlo.add %471, %473 : tensor<16x96xf32>
    %475 = stablehlo.add %427, %474 : tensor<16x96xf32>
    %cst_77 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %476 = stablehlo.reduce(%475 init: %cst_77) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %477 = stablehlo.broadcast_in_dim %476, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_78 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %478 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %479 = stablehlo.divide %477, %478 : tensor<16x1xf32>
    %480 = stablehlo.broadcast_in_dim %479, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %481 = stablehlo.subtract %475, %480 : tensor<16x96xf32>
    %482 = stablehlo.multiply %481, %481 : tensor<16x96xf32>
    %cst_79 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %483 = stablehlo.reduce(%482 init: %cst_79) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %484 = stablehlo.broadcast_in_dim %483, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_80 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %485 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %486 = stablehlo.divide %484, %485 : tensor<16x1xf32>
    %cst_81 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %487 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %488 = stablehlo.add %486, %487 : tensor<16x1xf32>
    %489 = stablehlo.rsqrt %488 : tensor<16x1xf32>
    %490 = stablehlo.broadcast_in_dim %489, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %491 = stablehlo.multiply %481, %490 : tensor<16x96xf32>
    %cst_82 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %492 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<96xf32>
    %493 = stablehlo.add %492, %368 : tensor<96xf32>
    %494 = stablehlo.broadcast_in_dim %493, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %495 = stablehlo.broadcast_in_dim %494, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %496 = stablehlo.multiply %491, %495 : tensor<16x96xf32>
    %497 = stablehlo.broadcast_in_dim %366, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %498 = stablehlo.broadcast_in_dim %497, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %499 = stablehlo.add %496, %498 : tensor<16x96xf32>
    %500 = stablehlo.dot_general %499, %$layer2.up.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x192xf32>) -> tensor<16x192xf32>
    %501 = stablehlo.broadcast_in_dim %$layer2.up.b, dims = [1] : (tensor<192xf32>) -> tensor<1x192xf32>
    %502 = stablehlo.broadcast_in_dim %501, dims = [0, 1] : (tensor<1x192xf32>) -> tensor<16x192xf32>
    %503 = stablehlo.add %500, %502 : tensor<16x192xf32>
    %504 = stablehlo.multiply %503, %503 : tensor<16x192xf32>
    %505 = stablehlo.multiply %504, %503 : tensor<16x192xf32>
    %cst_83 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %506 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %507 = stablehlo.multiply %506, %505 : tensor<16x192xf32>
    %508 = stablehlo.add %503, %507 : tensor<16x192xf32>
    %cst_84 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %509 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %510 = stablehlo.multiply %509, %508 : tensor<16x192xf32>
    %511 = stablehlo.tanh %510 : tensor<16x192xf32>
    %cst_85 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %512 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %513 = stablehlo.add %512, %511 : tensor<16x192xf32>
    %cst_86 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %514 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %515 = stablehlo.multiply %514, %513 : tensor<16x192xf32>
    %516 = stablehlo.multiply %503, %515 : tensor<16x192xf32>
    %517 = stablehlo.dot_general %516, %$layer2.down.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x192xf32>, tensor<192x96xf32>) -> tensor<16x96xf32>
    %518 = stablehlo.broadcast_in_dim %$layer2.down.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %519 = stablehlo.broadcast_in_dim %518, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %520 = stablehlo.add %517, %519 : tensor<16x96xf32>
    %521 = stablehlo.add %475, %520 : tensor<16x96xf32>
    %cst_87 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %522 = stablehlo.reduce(%521 init: %cst_87) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %523 = stablehlo.broadcast_in_dim %522, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_88 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %524 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %525 = stablehlo.divide %523, %524 : tensor<16x1xf32>
    %526 = stablehlo.broadcast_in_dim %525, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %527 = stablehlo.subtract %521, %526 : tensor<16x96xf32>
    %528 = stablehlo.multiply %527, %527 : tensor<16x96xf32>
    %cst_89 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %529 = stablehlo.reduce(%528 init: %cst_89) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %530 = stablehlo.broadcast_in_dim %529, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_90 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %531 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %532 = stablehlo.divide %530, %531 : tensor<16x1xf32>
    %cst_91 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %533 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %534 = stablehlo.add %532, %533 : tensor<16x1xf32>
    %535 = stablehlo.rsqrt %534 : tensor<16x1xf32>
    %536 = stablehlo.broadcast_in_dim %535, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %537 = stablehlo.multiply %527, %536 : tensor<16x96xf32>
    %538 = stablehlo.dot_general %537, %$action_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x4xf32>) -> tensor<16x4xf32>
    %539 = stablehlo.broadcast_in_dim %$action_out.b, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %540 = stablehlo.broadcast_in_dim %539, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<16x4xf32>
    %541 = stablehlo.add %538, %540 : tensor<16x4xf32>
    %542 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
    %543 = stablehlo.multiply %542, %541 : tensor<16x4xf32>
    %544 = stablehlo.add %arg1, %543 : tensor<16x4xf32>
    %545 = stablehlo.add %arg2, %arg3 : tensor<f32>
    return %544, %545 : tensor<16x4xf32>, tensor<f32>
  }
  func.func private @step$silu(%arg0: tensor<96xf32>) -> tensor<96xf32> {
    %0 = stablehlo.negate %arg0 : tensor<96xf32>
    %1 = stablehlo.exponential %0 : tensor<96xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<96xf32>
    %3 = stablehlo.add %2, %1 : tensor<96xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<96xf32>
    %5 = stablehlo.divide %4, %3 : tensor<96xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<96xf32>
    return %6 : tensor<96xf32>
  }
  func.func public @step_identity(%arg0: tensor<3x28x96xf32>, %arg1: tensor<16x4xf32>, %arg2: tensor<f32>, %arg3: tensor<f32>, %arg4: tensor<16x4xf32>, %arg5: tensor<16xf32>, %arg6: tensor<f32>, %arg7: tensor<16x4xf32> {iree.abi.output = 0 : index}, %arg8: tensor<f32> {iree.abi.output = 1 : index}, %arg9: !hal.buffer {iree.abi.transients}) -> (tensor<16x4xf32>, tensor<f32>) attributes {iree.reflection = {polyrhythm.inputs = "cond,x,t,dt,target,weights,beta", polyrhythm.outputs = "x,t"}} {
    %0:7 = util.optimization_barrier %arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6 : tensor<3x28x96xf32>, tensor<16x4xf32>, tensor<f32>, tensor<f32>, tensor<16x4xf32>, tensor<16xf32>, tensor<f32>
    %$action_in.b = util.global.load @"$action_in.b" : tensor<96xf32>
    %$action_in.w = util.global.load @"$action_in.w" : tensor<4x96xf32>
    %$action_out.b = util.global.load @"$action_out.b" : tensor<4xf32>
    %$action_out.w = util.global.load @"$action_out.w" : tensor<96x4xf32>
    %$clock0.b = util.global.load @"$clock0.b" : tensor<96xf32>
    %$clock0.w = util.global.load @"$clock0.w" : tensor<64x96xf32>
    %$clock1.b = util.global.load @"$clock1.b" : tensor<384xf32>
    %$clock1.w = util.global.load @"$clock1.w" : tensor<96x384xf32>
    %$layer0.context_out.b = util.global.load @"$layer0.context_out.b" : tensor<96xf32>
    %$layer0.context_out.w = util.global.load @"$layer0.context_out.w" : tensor<96x96xf32>
    %$layer0.down.b = util.global.load @"$layer0.down.b" : tensor<96xf32>
    %$layer0.down.w = util.global.load @"$layer0.down.w" : tensor<192x96xf32>
    %$layer0.query.b = util.global.load @"$layer0.query.b" : tensor<96xf32>
    %$layer0.query.w = util.global.load @"$layer0.query.w" : tensor<96x96xf32>
    %$layer0.self.b = util.global.load @"$layer0.self.b" : tensor<288xf32>
    %$layer0.self.w = util.global.load @"$layer0.self.w" : tensor<96x288xf32>
    %$layer0.self_out.b = util.global.load @"$layer0.self_out.b" : tensor<96xf32>
    %$layer0.self_out.w = util.global.load @"$layer0.self_out.w" : tensor<96x96xf32>
    %$layer0.up.b = util.global.load @"$layer0.up.b" : tensor<192xf32>
    %$layer0.up.w = util.global.load @"$layer0.up.w" : tensor<96x192xf32>
    %$layer1.context_out.b = util.global.load @"$layer1.context_out.b" : tensor<96xf32>
    %$layer1.context_out.w = util.global.load @"$layer1.context_out.w" : tensor<96x96xf32>
    %$layer1.down.b = util.global.load @"$layer1.down.b" : tensor<96xf32>
    %$layer1.down.w = util.global.load @"$layer1.down.w" : tensor<192x96xf32>
    %$layer1.query.b = util.global.load @"$layer1.query.b" : tensor<96xf32>
    %$layer1.query.w = util.global.load @"$layer1.query.w" : tensor<96x96xf32>
    %$layer1.self.b = util.global.load @"$layer1.self.b" : tensor<288xf32>
    %$layer1.self.w = util.global.load @"$layer1.self.w" : tensor<96x288xf32>
    %$layer1.self_out.b = util.global.load @"$layer1.self_out.b" : tensor<96xf32>
    %$layer1.self_out.w = util.global.load @"$layer1.self_out.w" : tensor<96x96xf32>
    %$layer1.up.b = util.global.load @"$layer1.up.b" : tensor<192xf32>
    %$layer1.up.w = util.global.load @"$layer1.up.w" : tensor<96x192xf32>
    %$layer2.context_out.b = util.global.load @"$layer2.context_out.b" : tensor<96xf32>
    %$layer2.context_out.w = util.global.load @"$layer2.context_out.w" : tensor<96x96xf32>
    %$layer2.down.b = util.global.load @"$layer2.down.b" : tensor<96xf32>
    %$layer2.down.w = util.global.load @"$layer2.down.w" : tensor<192x96xf32>
    %$layer2.query.b = util.global.load @"$layer2.query.b" : tensor<96xf32>
    %$layer2.query.w = util.global.load @"$layer2.query.w" : tensor<96x96xf32>
    %$layer2.self.b = util.global.load @"$layer2.self.b" : tensor<288xf32>
    %$layer2.self.w = util.global.load @"$layer2.self.w" : tensor<96x288xf32>
    %$layer2.self_out.b = util.global.load @"$layer2.self_out.b" : tensor<96xf32>
    %$layer2.self_out.w = util.global.load @"$layer2.self_out.w" : tensor<96x96xf32>
    %$layer2.up.b = util.global.load @"$layer2.up.b" : tensor<192xf32>
    %$layer2.up.w = util.global.load @"$layer2.up.w" : tensor<96x192xf32>
    %$tick_position = util.global.load @"$tick_position" : tensor<16x96xf32>
    %cst = stablehlo.constant dense<[1.000000e+00, 1.1601553, 1.34596038, 1.56152296, 1.81160915, 2.10174799, 2.43835402, 2.82886934, 3.28192782, 3.80754614, 4.41734457, 5.12480593, 5.94557094, 6.89778519, 8.00250244, 9.28414535, 10.7710505, 12.4960918, 14.497407, 16.8192425, 19.5129337, 22.6380348, 26.2636356, 30.4698963, 35.3498116, 41.0112724, 47.5794449, 55.199543, 64.040039, 74.2963943, 86.1953582, 1.000000e+02]> : tensor<32xf32>
    %1 = stablehlo.broadcast_in_dim %arg5, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %2 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<1xf32>) -> tensor<32xf32>
    %4 = stablehlo.multiply %3, %cst : tensor<32xf32>
    %5 = stablehlo.cosine %4 : tensor<32xf32>
    %6 = stablehlo.sine %4 : tensor<32xf32>
    %7 = stablehlo.concatenate %5, %6, dim = 0 : (tensor<32xf32>, tensor<32xf32>) -> tensor<64xf32>
    %8 = stablehlo.dot_general %7, %$clock0.w, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64xf32>, tensor<64x96xf32>) -> tensor<96xf32>
    %9 = stablehlo.add %8, %$clock0.b : tensor<96xf32>
    %10 = call @step_identity$silu(%9) : (tensor<96xf32>) -> tensor<96xf32>
    %11 = stablehlo.dot_general %10, %$clock1.w, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<96xf32>, tensor<96x384xf32>) -> tensor<384xf32>
    %12 = stablehlo.add %11, %$clock1.b : tensor<384xf32>
    %13 = stablehlo.reshape %12 : (tensor<384xf32>) -> tensor<4x96xf32>
    %14 = stablehlo.dot_general %arg1, %$action_in.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x4xf32>, tensor<4x96xf32>) -> tensor<16x96xf32>
    %15 = stablehlo.broadcast_in_dim %$action_in.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %17 = stablehlo.add %14, %16 : tensor<16x96xf32>
    %18 = stablehlo.add %17, %$tick_position : tensor<16x96xf32>
    %19 = stablehlo.slice %arg0 [0:1, 0:12, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x12x96xf32>
    %20 = stablehlo.reshape %19 : (tensor<1x12x96xf32>) -> tensor<12x96xf32>
    %21 = stablehlo.slice %arg0 [0:1, 12:24, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x12x96xf32>
    %22 = stablehlo.reshape %21 : (tensor<1x12x96xf32>) -> tensor<12x96xf32>
    %23 = stablehlo.slice %arg0 [0:1, 24:28, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x4x96xf32>
    %24 = stablehlo.reshape %23 : (tensor<1x4x96xf32>) -> tensor<4x96xf32>
    %25 = stablehlo.add %24, %13 : tensor<4x96xf32>
    %26 = stablehlo.slice %25 [0:1, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %27 = stablehlo.reshape %26 : (tensor<1x96xf32>) -> tensor<96xf32>
    %28 = stablehlo.slice %25 [1:2, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %29 = stablehlo.reshape %28 : (tensor<1x96xf32>) -> tensor<96xf32>
    %30 = stablehlo.slice %25 [2:3, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %31 = stablehlo.reshape %30 : (tensor<1x96xf32>) -> tensor<96xf32>
    %32 = stablehlo.slice %25 [3:4, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %33 = stablehlo.reshape %32 : (tensor<1x96xf32>) -> tensor<96xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.reduce(%18 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_1 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %37 = stablehlo.divide %35, %36 : tensor<16x1xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %39 = stablehlo.subtract %18, %38 : tensor<16x96xf32>
    %40 = stablehlo.multiply %39, %39 : tensor<16x96xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = stablehlo.reduce(%40 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_3 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %44 = stablehlo.divide %42, %43 : tensor<16x1xf32>
    %cst_4 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %46 = stablehlo.add %44, %45 : tensor<16x1xf32>
    %47 = stablehlo.rsqrt %46 : tensor<16x1xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %49 = stablehlo.multiply %39, %48 : tensor<16x96xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<96xf32>
    %51 = stablehlo.add %50, %29 : tensor<96xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %54 = stablehlo.multiply %49, %53 : tensor<16x96xf32>
    %55 = stablehlo.broadcast_in_dim %27, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %57 = stablehlo.add %54, %56 : tensor<16x96xf32>
    %58 = stablehlo.dot_general %57, %$layer0.self.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x288xf32>) -> tensor<16x288xf32>
    %59 = stablehlo.broadcast_in_dim %$layer0.self.b, dims = [1] : (tensor<288xf32>) -> tensor<1x288xf32>
    %60 = stablehlo.broadcast_in_dim %59, dims = [0, 1] : (tensor<1x288xf32>) -> tensor<16x288xf32>
    %61 = stablehlo.add %58, %60 : tensor<16x288xf32>
    %62 = stablehlo.slice %61 [0:16, 0:96] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %63 = stablehlo.slice %61 [0:16, 96:192] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %64 = stablehlo.slice %61 [0:16, 192:288] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %65 = stablehlo.reshape %62 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %66 = stablehlo.transpose %65, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %67 = stablehlo.reshape %63 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %68 = stablehlo.transpose %67, dims = [1, 2, 0] : (tensor<16x4x24xf32>) -> tensor<4x24x16xf32>
    %69 = stablehlo.reshape %64 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %70 = stablehlo.transpose %69, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %71 = stablehlo.dot_general %66, %68, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x24x16xf32>) -> tensor<4x16x16xf32>
    %cst_6 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %73 = stablehlo.multiply %71, %72 : tensor<4x16x16xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %74 = stablehlo.reduce(%73 init: %cst_7) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %76 = stablehlo.maximum %75, %74 : tensor<4x16xf32>
    %77 = stablehlo.broadcast_in_dim %76, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %79 = stablehlo.subtract %73, %78 : tensor<4x16x16xf32>
    %80 = stablehlo.exponential %79 : tensor<4x16x16xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %81 = stablehlo.reduce(%80 init: %cst_9) applies stablehlo.add across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %82 = stablehlo.broadcast_in_dim %81, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %83 = stablehlo.broadcast_in_dim %82, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %84 = stablehlo.divide %80, %83 : tensor<4x16x16xf32>
    %85 = stablehlo.dot_general %84, %70, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x16xf32>, tensor<4x16x24xf32>) -> tensor<4x16x24xf32>
    %86 = stablehlo.transpose %85, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %87 = stablehlo.reshape %86 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %88 = stablehlo.dot_general %87, %$layer0.self_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %89 = stablehlo.broadcast_in_dim %$layer0.self_out.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %90 = stablehlo.broadcast_in_dim %89, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %91 = stablehlo.add %88, %90 : tensor<16x96xf32>
    %92 = stablehlo.add %18, %91 : tensor<16x96xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %93 = stablehlo.reduce(%92 init: %cst_10) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %94 = stablehlo.broadcast_in_dim %93, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_11 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %96 = stablehlo.divide %94, %95 : tensor<16x1xf32>
    %97 = stablehlo.broadcast_in_dim %96, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %98 = stablehlo.subtract %92, %97 : tensor<16x96xf32>
    %99 = stablehlo.multiply %98, %98 : tensor<16x96xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %100 = stablehlo.reduce(%99 init: %cst_12) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %101 = stablehlo.broadcast_in_dim %100, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_13 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %103 = stablehlo.divide %101, %102 : tensor<16x1xf32>
    %cst_14 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %105 = stablehlo.add %103, %104 : tensor<16x1xf32>
    %106 = stablehlo.rsqrt %105 : tensor<16x1xf32>
    %107 = stablehlo.broadcast_in_dim %106, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %108 = stablehlo.multiply %98, %107 : tensor<16x96xf32>
    %109 = stablehlo.dot_general %108, %$layer0.query.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %110 = stablehlo.broadcast_in_dim %$layer0.query.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %111 = stablehlo.broadcast_in_dim %110, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %112 = stablehlo.add %109, %111 : tensor<16x96xf32>
    %113 = stablehlo.reshape %112 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %114 = stablehlo.transpose %113, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %115 = stablehlo.reshape %20 : (tensor<12x96xf32>) -> tensor<12x4x24xf32>
    %116 = stablehlo.transpose %115, dims = [1, 2, 0] : (tensor<12x4x24xf32>) -> tensor<4x24x12xf32>
    %117 = stablehlo.reshape %22 : (tensor<12x96xf32>) -> tensor<12x4x24xf32>
    %118 = stablehlo.transpose %117, dims = [1, 0, 2] : (tensor<12x4x24xf32>) -> tensor<4x12x24xf32>
    %119 = stablehlo.dot_general %114, %116, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x24x12xf32>) -> tensor<4x16x12xf32>
    %cst_15 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %120 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x16x12xf32>
    %121 = stablehlo.multiply %119, %120 : tensor<4x16x12xf32>
    %cst_16 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %122 = stablehlo.reduce(%121 init: %cst_16) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x12xf32>, tensor<f32>) -> tensor<4x16xf32>
    %cst_17 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %123 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %124 = stablehlo.maximum %123, %122 : tensor<4x16xf32>
    %125 = stablehlo.broadcast_in_dim %124, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %126 = stablehlo.broadcast_in_dim %125, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %127 = stablehlo.subtract %121, %126 : tensor<4x16x12xf32>
    %128 = stablehlo.exponential %127 : tensor<4x16x12xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %129 = stablehlo.reduce(%128 init: %cst_18) applies stablehlo.add across dimensions = [2] : (tensor<4x16x12xf32>, tensor<f32>) -> tensor<4x16xf32>
    %130 = stablehlo.broadcast_in_dim %129, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %131 = stablehlo.broadcast_in_dim %130, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %132 = stablehlo.divide %128, %131 : tensor<4x16x12xf32>
    %133 = stablehlo.dot_general %132, %118, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x12xf32>, tensor<4x12x24xf32>) -> tensor<4x16x24xf32>
    %134 = stablehlo.transpose %133, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %135 = stablehlo.reshape %134 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %136 = stablehlo.dot_general %135, %$layer0.context_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %137 = stablehlo.broadcast_in_dim %$layer0.context_out.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %138 = stablehlo.broadcast_in_dim %137, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %139 = stablehlo.add %136, %138 : tensor<16x96xf32>
    %140 = stablehlo.add %92, %139 : tensor<16x96xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %141 = stablehlo.reduce(%140 init: %cst_19) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %142 = stablehlo.broadcast_in_dim %141, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_20 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %144 = stablehlo.divide %142, %143 : tensor<16x1xf32>
    %145 = stablehlo.broadcast_in_dim %144, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %146 = stablehlo.subtract %140, %145 : tensor<16x96xf32>
    %147 = stablehlo.multiply %146, %146 : tensor<16x96xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %148 = stablehlo.reduce(%147 init: %cst_21) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %149 = stablehlo.broadcast_in_dim %148, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_22 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %150 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %151 = stablehlo.divide %149, %150 : tensor<16x1xf32>
    %cst_23 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %152 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %153 = stablehlo.add %151, %152 : tensor<16x1xf32>
    %154 = stablehlo.rsqrt %153 : tensor<16x1xf32>
    %155 = stablehlo.broadcast_in_dim %154, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %156 = stablehlo.multiply %146, %155 : tensor<16x96xf32>
    %cst_24 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %157 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<96xf32>
    %158 = stablehlo.add %157, %33 : tensor<96xf32>
    %159 = stablehlo.broadcast_in_dim %158, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %160 = stablehlo.broadcast_in_dim %159, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %161 = stablehlo.multiply %156, %160 : tensor<16x96xf32>
    %162 = stablehlo.broadcast_in_dim %31, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %163 = stablehlo.broadcast_in_dim %162, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %164 = stablehlo.add %161, %163 : tensor<16x96xf32>
    %165 = stablehlo.dot_general %164, %$layer0.up.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x192xf32>) -> tensor<16x192xf32>
    %166 = stablehlo.broadcast_in_dim %$layer0.up.b, dims = [1] : (tensor<192xf32>) -> tensor<1x192xf32>
    %167 = stablehlo.broadcast_in_dim %166, dims = [0, 1] : (tensor<1x192xf32>) -> tensor<16x192xf32>
    %168 = stablehlo.add %165, %167 : tensor<16x192xf32>
    %169 = stablehlo.multiply %168, %168 : tensor<16x192xf32>
    %170 = stablehlo.multiply %169, %168 : tensor<16x192xf32>
    %cst_25 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %171 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %172 = stablehlo.multiply %171, %170 : tensor<16x192xf32>
    %173 = stablehlo.add %168, %172 : tensor<16x192xf32>
    %cst_26 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %174 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %175 = stablehlo.multiply %174, %173 : tensor<16x192xf32>
    %176 = stablehlo.tanh %175 : tensor<16x192xf32>
    %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %177 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %178 = stablehlo.add %177, %176 : tensor<16x192xf32>
    %cst_28 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %179 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %180 = stablehlo.multiply %179, %178 : tensor<16x192xf32>
    %181 = stablehlo.multiply %168, %180 : tensor<16x192xf32>
    %182 = stablehlo.dot_general %181, %$layer0.down.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x192xf32>, tensor<192x96xf32>) -> tensor<16x96xf32>
    %183 = stablehlo.broadcast_in_dim %$layer0.down.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %184 = stablehlo.broadcast_in_dim %183, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %185 = stablehlo.add %182, %184 : tensor<16x96xf32>
    %186 = stablehlo.add %140, %185 : tensor<16x96xf32>
    %187 = stablehlo.slice %arg0 [1:2, 0:12, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x12x96xf32>
    %188 = stablehlo.reshape %187 : (tensor<1x12x96xf32>) -> tensor<12x96xf32>
    %189 = stablehlo.slice %arg0 [1:2, 12:24, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x12x96xf32>
    %190 = stablehlo.reshape %189 : (tensor<1x12x96xf32>) -> tensor<12x96xf32>
    %191 = stablehlo.slice %arg0 [1:2, 24:28, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x4x96xf32>
    %192 = stablehlo.reshape %191 : (tensor<1x4x96xf32>) -> tensor<4x96xf32>
    %193 = stablehlo.add %192, %13 : tensor<4x96xf32>
    %194 = stablehlo.slice %193 [0:1, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %195 = stablehlo.reshape %194 : (tensor<1x96xf32>) -> tensor<96xf32>
    %196 = stablehlo.slice %193 [1:2, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %197 = stablehlo.reshape %196 : (tensor<1x96xf32>) -> tensor<96xf32>
    %198 = stablehlo.slice %193 [2:3, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %199 = stablehlo.reshape %198 : (tensor<1x96xf32>) -> tensor<96xf32>
    %200 = stablehlo.slice %193 [3:4, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %201 = stablehlo.reshape %200 : (tensor<1x96xf32>) -> tensor<96xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %202 = stablehlo.reduce(%186 init: %cst_29) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %203 = stablehlo.broadcast_in_dim %202, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_30 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %204 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %205 = stablehlo.divide %203, %204 : tensor<16x1xf32>
    %206 = stablehlo.broadcast_in_dim %205, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %207 = stablehlo.subtract %186, %206 : tensor<16x96xf32>
    %208 = stablehlo.multiply %207, %207 : tensor<16x96xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %209 = stablehlo.reduce(%208 init: %cst_31) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %210 = stablehlo.broadcast_in_dim %209, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_32 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %211 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %212 = stablehlo.divide %210, %211 : tensor<16x1xf32>
    %cst_33 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %213 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %214 = stablehlo.add %212, %213 : tensor<16x1xf32>
    %215 = stablehlo.rsqrt %214 : tensor<16x1xf32>
    %216 = stablehlo.broadcast_in_dim %215, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %217 = stablehlo.multiply %207, %216 : tensor<16x96xf32>
    %cst_34 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %218 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<96xf32>
    %219 = stablehlo.add %218, %197 : tensor<96xf32>
    %220 = stablehlo.broadcast_in_dim %219, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %221 = stablehlo.broadcast_in_dim %220, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %222 = stablehlo.multiply %217, %221 : tensor<16x96xf32>
    %223 = stablehlo.broadcast_in_dim %195, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %224 = stablehlo.broadcast_in_dim %223, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %225 = stablehlo.add %222, %224 : tensor<16x96xf32>
    %226 = stablehlo.dot_general %225, %$layer1.self.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x288xf32>) -> tensor<16x288xf32>
    %227 = stablehlo.broadcast_in_dim %$layer1.self.b, dims = [1] : (tensor<288xf32>) -> tensor<1x288xf32>
    %228 = stablehlo.broadcast_in_dim %227, dims = [0, 1] : (tensor<1x288xf32>) -> tensor<16x288xf32>
    %229 = stablehlo.add %226, %228 : tensor<16x288xf32>
    %230 = stablehlo.slice %229 [0:16, 0:96] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %231 = stablehlo.slice %229 [0:16, 96:192] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %232 = stablehlo.slice %229 [0:16, 192:288] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %233 = stablehlo.reshape %230 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %234 = stablehlo.transpose %233, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %235 = stablehlo.reshape %231 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %236 = stablehlo.transpose %235, dims = [1, 2, 0] : (tensor<16x4x24xf32>) -> tensor<4x24x16xf32>
    %237 = stablehlo.reshape %232 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %238 = stablehlo.transpose %237, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %239 = stablehlo.dot_general %234, %236, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x24x16xf32>) -> tensor<4x16x16xf32>
    %cst_35 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %240 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %241 = stablehlo.multiply %239, %240 : tensor<4x16x16xf32>
    %cst_36 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %242 = stablehlo.reduce(%241 init: %cst_36) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %cst_37 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %243 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %244 = stablehlo.maximum %243, %242 : tensor<4x16xf32>
    %245 = stablehlo.broadcast_in_dim %244, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %246 = stablehlo.broadcast_in_dim %245, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %247 = stablehlo.subtract %241, %246 : tensor<4x16x16xf32>
    %248 = stablehlo.exponential %247 : tensor<4x16x16xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %249 = stablehlo.reduce(%248 init: %cst_38) applies stablehlo.add across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %250 = stablehlo.broadcast_in_dim %249, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %251 = stablehlo.broadcast_in_dim %250, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %252 = stablehlo.divide %248, %251 : tensor<4x16x16xf32>
    %253 = stablehlo.dot_general %252, %238, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x16xf32>, tensor<4x16x24xf32>) -> tensor<4x16x24xf32>
    %254 = stablehlo.transpose %253, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %255 = stablehlo.reshape %254 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %256 = stablehlo.dot_general %255, %$layer1.self_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %257 = stablehlo.broadcast_in_dim %$layer1.self_out.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %258 = stablehlo.broadcast_in_dim %257, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %259 = stablehlo.add %256, %258 : tensor<16x96xf32>
    %260 = stablehlo.add %186, %259 : tensor<16x96xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %261 = stablehlo.reduce(%260 init: %cst_39) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %262 = stablehlo.broadcast_in_dim %261, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_40 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %263 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %264 = stablehlo.divide %262, %263 : tensor<16x1xf32>
    %265 = stablehlo.broadcast_in_dim %264, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %266 = stablehlo.subtract %260, %265 : tensor<16x96xf32>
    %267 = stablehlo.multiply %266, %266 : tensor<16x96xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %268 = stablehlo.reduce(%267 init: %cst_41) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %269 = stablehlo.broadcast_in_dim %268, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_42 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %270 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %271 = stablehlo.divide %269, %270 : tensor<16x1xf32>
    %cst_43 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %272 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %273 = stablehlo.add %271, %272 : tensor<16x1xf32>
    %274 = stablehlo.rsqrt %273 : tensor<16x1xf32>
    %275 = stablehlo.broadcast_in_dim %274, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %276 = stablehlo.multiply %266, %275 : tensor<16x96xf32>
    %277 = stablehlo.dot_general %276, %$layer1.query.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %278 = stablehlo.broadcast_in_dim %$layer1.query.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %279 = stablehlo.broadcast_in_dim %278, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %280 = stablehlo.add %277, %279 : tensor<16x96xf32>
    %281 = stablehlo.reshape %280 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %282 = stablehlo.transpose %281, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %283 = stablehlo.reshape %188 : (tensor<12x96xf32>) -> tensor<12x4x24xf32>
    %284 = stablehlo.transpose %283, dims = [1, 2, 0] : (tensor<12x4x24xf32>) -> tensor<4x24x12xf32>
    %285 = stablehlo.reshape %190 : (tensor<12x96xf32>) -> tensor<12x4x24xf32>
    %286 = stablehlo.transpose %285, dims = [1, 0, 2] : (tensor<12x4x24xf32>) -> tensor<4x12x24xf32>
    %287 = stablehlo.dot_general %282, %284, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x24x12xf32>) -> tensor<4x16x12xf32>
    %cst_44 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %288 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<4x16x12xf32>
    %289 = stablehlo.multiply %287, %288 : tensor<4x16x12xf32>
    %cst_45 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %290 = stablehlo.reduce(%289 init: %cst_45) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x12xf32>, tensor<f32>) -> tensor<4x16xf32>
    %cst_46 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %291 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %292 = stablehlo.maximum %291, %290 : tensor<4x16xf32>
    %293 = stablehlo.broadcast_in_dim %292, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %294 = stablehlo.broadcast_in_dim %293, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %295 = stablehlo.subtract %289, %294 : tensor<4x16x12xf32>
    %296 = stablehlo.exponential %295 : tensor<4x16x12xf32>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %297 = stablehlo.reduce(%296 init: %cst_47) applies stablehlo.add across dimensions = [2] : (tensor<4x16x12xf32>, tensor<f32>) -> tensor<4x16xf32>
    %298 = stablehlo.broadcast_in_dim %297, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %299 = stablehlo.broadcast_in_dim %298, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %300 = stablehlo.divide %296, %299 : tensor<4x16x12xf32>
    %301 = stablehlo.dot_general %300, %286, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x12xf32>, tensor<4x12x24xf32>) -> tensor<4x16x24xf32>
    %302 = stablehlo.transpose %301, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %303 = stablehlo.reshape %302 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %304 = stablehlo.dot_general %303, %$layer1.context_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %305 = stablehlo.broadcast_in_dim %$layer1.context_out.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %306 = stablehlo.broadcast_in_dim %305, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %307 = stablehlo.add %304, %306 : tensor<16x96xf32>
    %308 = stablehlo.add %260, %307 : tensor<16x96xf32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %309 = stablehlo.reduce(%308 init: %cst_48) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %310 = stablehlo.broadcast_in_dim %309, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_49 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %311 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %312 = stablehlo.divide %310, %311 : tensor<16x1xf32>
    %313 = stablehlo.broadcast_in_dim %312, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %314 = stablehlo.subtract %308, %313 : tensor<16x96xf32>
    %315 = stablehlo.multiply %314, %314 : tensor<16x96xf32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %316 = stablehlo.reduce(%315 init: %cst_50) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %317 = stablehlo.broadcast_in_dim %316, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_51 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %318 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %319 = stablehlo.divide %317, %318 : tensor<16x1xf32>
    %cst_52 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %320 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %321 = stablehlo.add %319, %320 : tensor<16x1xf32>
    %322 = stablehlo.rsqrt %321 : tensor<16x1xf32>
    %323 = stablehlo.broadcast_in_dim %322, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %324 = stablehlo.multiply %314, %323 : tensor<16x96xf32>
    %cst_53 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %325 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<96xf32>
    %326 = stablehlo.add %325, %201 : tensor<96xf32>
    %327 = stablehlo.broadcast_in_dim %326, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %328 = stablehlo.broadcast_in_dim %327, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %329 = stablehlo.multiply %324, %328 : tensor<16x96xf32>
    %330 = stablehlo.broadcast_in_dim %199, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %331 = stablehlo.broadcast_in_dim %330, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %332 = stablehlo.add %329, %331 : tensor<16x96xf32>
    %333 = stablehlo.dot_general %332, %$layer1.up.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x192xf32>) -> tensor<16x192xf32>
    %334 = stablehlo.broadcast_in_dim %$layer1.up.b, dims = [1] : (tensor<192xf32>) -> tensor<1x192xf32>
    %335 = stablehlo.broadcast_in_dim %334, dims = [0, 1] : (tensor<1x192xf32>) -> tensor<16x192xf32>
    %336 = stablehlo.add %333, %335 : tensor<16x192xf32>
    %337 = stablehlo.multiply %336, %336 : tensor<16x192xf32>
    %338 = stablehlo.multiply %337, %336 : tensor<16x192xf32>
    %cst_54 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %339 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %340 = stablehlo.multiply %339, %338 : tensor<16x192xf32>
    %341 = stablehlo.add %336, %340 : tensor<16x192xf32>
    %cst_55 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %342 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %343 = stablehlo.multiply %342, %341 : tensor<16x192xf32>
    %344 = stablehlo.tanh %343 : tensor<16x192xf32>
    %cst_56 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %345 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %346 = stablehlo.add %345, %344 : tensor<16x192xf32>
    %cst_57 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %347 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %348 = stablehlo.multiply %347, %346 : tensor<16x192xf32>
    %349 = stablehlo.multiply %336, %348 : tensor<16x192xf32>
    %350 = stablehlo.dot_general %349, %$layer1.down.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x192xf32>, tensor<192x96xf32>) -> tensor<16x96xf32>
    %351 = stablehlo.broadcast_in_dim %$layer1.down.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %352 = stablehlo.broadcast_in_dim %351, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %353 = stablehlo.add %350, %352 : tensor<16x96xf32>
    %354 = stablehlo.add %308, %353 : tensor<16x96xf32>
    %355 = stablehlo.slice %arg0 [2:3, 0:12, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x12x96xf32>
    %356 = stablehlo.reshape %355 : (tensor<1x12x96xf32>) -> tensor<12x96xf32>
    %357 = stablehlo.slice %arg0 [2:3, 12:24, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x12x96xf32>
    %358 = stablehlo.reshape %357 : (tensor<1x12x96xf32>) -> tensor<12x96xf32>
    %359 = stablehlo.slice %arg0 [2:3, 24:28, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x4x96xf32>
    %360 = stablehlo.reshape %359 : (tensor<1x4x96xf32>) -> tensor<4x96xf32>
    %361 = stablehlo.add %360, %13 : tensor<4x96xf32>
    %362 = stablehlo.slice %361 [0:1, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %363 = stablehlo.reshape %362 : (tensor<1x96xf32>) -> tensor<96xf32>
    %364 = stablehlo.slice %361 [1:2, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %365 = stablehlo.reshape %364 : (tensor<1x96xf32>) -> tensor<96xf32>
    %366 = stablehlo.slice %361 [2:3, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %367 = stablehlo.reshape %366 : (tensor<1x96xf32>) -> tensor<96xf32>
    %368 = stablehlo.slice %361 [3:4, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %369 = stablehlo.reshape %368 : (tensor<1x96xf32>) -> tensor<96xf32>
    %cst_58 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %370 = stablehlo.reduce(%354 init: %cst_58) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %371 = stablehlo.broadcast_in_dim %370, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_59 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %372 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %373 = stablehlo.divide %371, %372 : tensor<16x1xf32>
    %374 = stablehlo.broadcast_in_dim %373, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %375 = stablehlo.subtract %354, %374 : tensor<16x96xf32>
    %376 = stablehlo.multiply %375, %375 : tensor<16x96xf32>
    %cst_60 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %377 = stablehlo.reduce(%376 init: %cst_60) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %378 = stablehlo.broadcast_in_dim %377, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_61 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %379 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %380 = stablehlo.divide %378, %379 : tensor<16x1xf32>
    %cst_62 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %381 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %382 = stablehlo.add %380, %381 : tensor<16x1xf32>
    %383 = stablehlo.rsqrt %382 : tensor<16x1xf32>
    %384 = stablehlo.broadcast_in_dim %383, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %385 = stablehlo.multiply %375, %384 : tensor<16x96xf32>
    %cst_63 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %386 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<96xf32>
    %387 = stablehlo.add %386, %365 : tensor<96xf32>
    %388 = stablehlo.broadcast_in_dim %387, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %389 = stablehlo.broadcast_in_dim %388, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %390 = stablehlo.multiply %385, %389 : tensor<16x96xf32>
    %391 = stablehlo.broadcast_in_dim %363, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %392 = stablehlo.broadcast_in_dim %391, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %393 = stablehlo.add %390, %392 : tensor<16x96xf32>
    %394 = stablehlo.dot_general %393, %$layer2.self.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x288xf32>) -> tensor<16x288xf32>
    %395 = stablehlo.broadcast_in_dim %$layer2.self.b, dims = [1] : (tensor<288xf32>) -> tensor<1x288xf32>
    %396 = stablehlo.broadcast_in_dim %395, dims = [0, 1] : (tensor<1x288xf32>) -> tensor<16x288xf32>
    %397 = stablehlo.add %394, %396 : tensor<16x288xf32>
    %398 = stablehlo.slice %397 [0:16, 0:96] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %399 = stablehlo.slice %397 [0:16, 96:192] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %400 = stablehlo.slice %397 [0:16, 192:288] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %401 = stablehlo.reshape %398 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %402 = stablehlo.transpose %401, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %403 = stablehlo.reshape %399 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %404 = stablehlo.transpose %403, dims = [1, 2, 0] : (tensor<16x4x24xf32>) -> tensor<4x24x16xf32>
    %405 = stablehlo.reshape %400 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %406 = stablehlo.transpose %405, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %407 = stablehlo.dot_general %402, %404, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x24x16xf32>) -> tensor<4x16x16xf32>
    %cst_64 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %408 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %409 = stablehlo.multiply %407, %408 : tensor<4x16x16xf32>
    %cst_65 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %410 = stablehlo.reduce(%409 init: %cst_65) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %cst_66 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %411 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %412 = stablehlo.maximum %411, %410 : tensor<4x16xf32>
    %413 = stablehlo.broadcast_in_dim %412, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %414 = stablehlo.broadcast_in_dim %413, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %415 = stablehlo.subtract %409, %414 : tensor<4x16x16xf32>
    %416 = stablehlo.exponential %415 : tensor<4x16x16xf32>
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %417 = stablehlo.reduce(%416 init: %cst_67) applies stablehlo.add across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %418 = stablehlo.broadcast_in_dim %417, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %419 = stablehlo.broadcast_in_dim %418, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %420 = stablehlo.divide %416, %419 : tensor<4x16x16xf32>
    %421 = stablehlo.dot_general %420, %406, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x16xf32>, tensor<4x16x24xf32>) -> tensor<4x16x24xf32>
    %422 = stablehlo.transpose %421, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %423 = stablehlo.reshape %422 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %424 = stablehlo.dot_general %423, %$layer2.self_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %425 = stablehlo.broadcast_in_dim %$layer2.self_out.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %426 = stablehlo.broadcast_in_dim %425, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %427 = stablehlo.add %424, %426 : tensor<16x96xf32>
    %428 = stablehlo.add %354, %427 : tensor<16x96xf32>
    %cst_68 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %429 = stablehlo.reduce(%428 init: %cst_68) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %430 = stablehlo.broadcast_in_dim %429, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_69 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %431 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %432 = stablehlo.divide %430, %431 : tensor<16x1xf32>
    %433 = stablehlo.broadcast_in_dim %432, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %434 = stablehlo.subtract %428, %433 : tensor<16x96xf32>
    %435 = stablehlo.multiply %434, %434 : tensor<16x96xf32>
    %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %436 = stablehlo.reduce(%435 init: %cst_70) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %437 = stablehlo.broadcast_in_dim %436, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_71 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %438 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %439 = stablehlo.divide %437, %438 : tensor<16x1xf32>
    %cst_72 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %440 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %441 = stablehlo.add %439, %440 : tensor<16x1xf32>
    %442 = stablehlo.rsqrt %441 : tensor<16x1xf32>
    %443 = stablehlo.broadcast_in_dim %442, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %444 = stablehlo.multiply %434, %443 : tensor<16x96xf32>
    %445 = stablehlo.dot_general %444, %$layer2.query.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %446 = stablehlo.broadcast_in_dim %$layer2.query.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %447 = stablehlo.broadcast_in_dim %446, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %448 = stablehlo.add %445, %447 : tensor<16x96xf32>
    %449 = stablehlo.reshape %448 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %450 = stablehlo.transpose %449, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %451 = stablehlo.reshape %356 : (tensor<12x96xf32>) -> tensor<12x4x24xf32>
    %452 = stablehlo.transpose %451, dims = [1, 2, 0] : (tensor<12x4x24xf32>) -> tensor<4x24x12xf32>
    %453 = stablehlo.reshape %358 : (tensor<12x96xf32>) -> tensor<12x4x24xf32>
    %454 = stablehlo.transpose %453, dims = [1, 0, 2] : (tensor<12x4x24xf32>) -> tensor<4x12x24xf32>
    %455 = stablehlo.dot_general %450, %452, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x24x12xf32>) -> tensor<4x16x12xf32>
    %cst_73 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %456 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<4x16x12xf32>
    %457 = stablehlo.multiply %455, %456 : tensor<4x16x12xf32>
    %cst_74 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %458 = stablehlo.reduce(%457 init: %cst_74) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x12xf32>, tensor<f32>) -> tensor<4x16xf32>
    %cst_75 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %459 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %460 = stablehlo.maximum %459, %458 : tensor<4x16xf32>
    %461 = stablehlo.broadcast_in_dim %460, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %462 = stablehlo.broadcast_in_dim %461, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %463 = stablehlo.subtract %457, %462 : tensor<4x16x12xf32>
    %464 = stablehlo.exponential %463 : tensor<4x16x12xf32>
    %cst_76 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %465 = stablehlo.reduce(%464 init: %cst_76) applies stablehlo.add across dimensions = [2] : (tensor<4x16x12xf32>, tensor<f32>) -> tensor<4x16xf32>
    %466 = stablehlo.broadcast_in_dim %465, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %467 = stablehlo.broadcast_in_dim %466, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %468 = stablehlo.divide %464, %467 : tensor<4x16x12xf32>
    %469 = stablehlo.dot_general %468, %454, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x12xf32>, tensor<4x12x24xf32>) -> tensor<4x16x24xf32>
    %470 = stablehlo.transpose %469, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %471 = stablehlo.reshape %470 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %472 = stablehlo.dot_general %471, %$layer2.context_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %473 = stablehlo.broadcast_in_dim %$layer2.context_out.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %474 = stablehlo.broadcast_in_dim %473, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %475 = stablehlo.add %472, %474 : tensor<16x96xf32>
    %476 = stablehlo.add %428, %475 : tensor<16x96xf32>
    %cst_77 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %477 = stablehlo.reduce(%476 init: %cst_77) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %478 = stablehlo.broadcast_in_dim %477, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_78 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %479 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %480 = stablehlo.divide %478, %479 : tensor<16x1xf32>
    %481 = stablehlo.broadcast_in_dim %480, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %482 = stablehlo.subtract %476, %481 : tensor<16x96xf32>
    %483 = stablehlo.multiply %482, %482 : tensor<16x96xf32>
    %cst_79 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %484 = stablehlo.reduce(%483 init: %cst_79) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %485 = stablehlo.broadcast_in_dim %484, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_80 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %486 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %487 = stablehlo.divide %485, %486 : tensor<16x1xf32>
    %cst_81 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %488 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %489 = stablehlo.add %487, %488 : tensor<16x1xf32>
    %490 = stablehlo.rsqrt %489 : tensor<16x1xf32>
    %491 = stablehlo.broadcast_in_dim %490, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %492 = stablehlo.multiply %482, %491 : tensor<16x96xf32>
    %cst_82 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %493 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<96xf32>
    %494 = stablehlo.add %493, %369 : tensor<96xf32>
    %495 = stablehlo.broadcast_in_dim %494, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %496 = stablehlo.broadcast_in_dim %495, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %497 = stablehlo.multiply %492, %496 : tensor<16x96xf32>
    %498 = stablehlo.broadcast_in_dim %367, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %499 = stablehlo.broadcast_in_dim %498, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %500 = stablehlo.add %497, %499 : tensor<16x96xf32>
    %501 = stablehlo.dot_general %500, %$layer2.up.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x192xf32>) -> tensor<16x192xf32>
    %502 = stablehlo.broadcast_in_dim %$layer2.up.b, dims = [1] : (tensor<192xf32>) -> tensor<1x192xf32>
    %503 = stablehlo.broadcast_in_dim %502, dims = [0, 1] : (tensor<1x192xf32>) -> tensor<16x192xf32>
    %504 = stablehlo.add %501, %503 : tensor<16x192xf32>
    %505 = stablehlo.multiply %504, %504 : tensor<16x192xf32>
    %506 = stablehlo.multiply %505, %504 : tensor<16x192xf32>
    %cst_83 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %507 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %508 = stablehlo.multiply %507, %506 : tensor<16x192xf32>
    %509 = stablehlo.add %504, %508 : tensor<16x192xf32>
    %cst_84 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %510 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %511 = stablehlo.multiply %510, %509 : tensor<16x192xf32>
    %512 = stablehlo.tanh %511 : tensor<16x192xf32>
    %cst_85 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %513 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %514 = stablehlo.add %513, %512 : tensor<16x192xf32>
    %cst_86 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %515 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %516 = stablehlo.multiply %515, %514 : tensor<16x192xf32>
    %517 = stablehlo.multiply %504, %516 : tensor<16x192xf32>
    %518 = stablehlo.dot_general %517, %$layer2.down.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x192xf32>, tensor<192x96xf32>) -> tensor<16x96xf32>
    %519 = stablehlo.broadcast_in_dim %$layer2.down.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %520 = stablehlo.broadcast_in_dim %519, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %521 = stablehlo.add %518, %520 : tensor<16x96xf32>
    %522 = stablehlo.add %476, %521 : tensor<16x96xf32>
    %cst_87 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %523 = stablehlo.reduce(%522 init: %cst_87) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %524 = stablehlo.broadcast_in_dim %523, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_88 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %525 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %526 = stablehlo.divide %524, %525 : tensor<16x1xf32>
    %527 = stablehlo.broadcast_in_dim %526, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %528 = stablehlo.subtract %522, %527 : tensor<16x96xf32>
    %529 = stablehlo.multiply %528, %528 : tensor<16x96xf32>
    %cst_89 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %530 = stablehlo.reduce(%529 init: %cst_89) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %531 = stablehlo.broadcast_in_dim %530, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_90 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %532 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %533 = stablehlo.divide %531, %532 : tensor<16x1xf32>
    %cst_91 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %534 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %535 = stablehlo.add %533, %534 : tensor<16x1xf32>
    %536 = stablehlo.rsqrt %535 : tensor<16x1xf32>
    %537 = stablehlo.broadcast_in_dim %536, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %538 = stablehlo.multiply %528, %537 : tensor<16x96xf32>
    %539 = stablehlo.dot_general %538, %$action_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x4xf32>) -> tensor<16x4xf32>
    %540 = stablehlo.broadcast_in_dim %$action_out.b, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %541 = stablehlo.broadcast_in_dim %540, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<16x4xf32>
    %542 = stablehlo.add %539, %541 : tensor<16x4xf32>
    %cst_92 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %543 = stablehlo.subtract %cst_92, %arg2 : tensor<f32>
    %544 = stablehlo.broadcast_in_dim %543, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
    %545 = stablehlo.multiply %544, %542 : tensor<16x4xf32>
    %546 = stablehlo.add %arg1, %545 : tensor<16x4xf32>
    %547 = stablehlo.subtract %arg4, %546 : tensor<16x4xf32>
    %548 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x4xf32>
    %549 = stablehlo.multiply %547, %548 : tensor<16x4xf32>
    %550 = stablehlo.multiply %arg2, %arg2 : tensor<f32>
    %cst_93 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %551 = stablehlo.subtract %cst_93, %arg2 : tensor<f32>
    %552 = stablehlo.multiply %551, %551 : tensor<f32>
    %553 = stablehlo.add %550, %552 : tensor<f32>
    %cst_94 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %554 = stablehlo.subtract %cst_94, %arg2 : tensor<f32>
    %555 = stablehlo.multiply %arg2, %554 : tensor<f32>
    %cst_95 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %556 = stablehlo.maximum %555, %cst_95 : tensor<f32>
    %557 = stablehlo.divide %553, %556 : tensor<f32>
    %558 = stablehlo.minimum %arg6, %557 : tensor<f32>
    %559 = stablehlo.broadcast_in_dim %558, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
    %560 = stablehlo.multiply %559, %549 : tensor<16x4xf32>
    %561 = stablehlo.add %542, %560 : tensor<16x4xf32>
    %562 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
    %563 = stablehlo.multiply %562, %561 : tensor<16x4xf32>
    %564 = stablehlo.add %arg1, %563 : tensor<16x4xf32>
    %565 = stablehlo.add %arg2, %arg3 : tensor<f32>
    return %564, %565 : tensor<16x4xf32>, tensor<f32>
  }
  func.func private @step_identity$silu(%arg0: tensor<96xf32>) -> tensor<96xf32> {
    %0 = stablehlo.negate %arg0 : tensor<96xf32>
    %1 = stablehlo.exponential %0 : tensor<96xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<96xf32>
    %3 = stablehlo.add %2, %1 : tensor<96xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<96xf32>
    %5 = stablehlo.divide %4, %3 : tensor<96xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<96xf32>
    return %6 : tensor<96xf32>
  }
  func.func public @step_vjp(%arg0: tensor<3x28x96xf32>, %arg1: tensor<16x4xf32>, %arg2: tensor<f32>, %arg3: tensor<f32>, %arg4: tensor<16x4xf32>, %arg5: tensor<16xf32>, %arg6: tensor<f32>, %arg7: tensor<16x4xf32> {iree.abi.output = 0 : index}, %arg8: tensor<f32> {iree.abi.output = 1 : index}, %arg9: !hal.buffer {iree.abi.transients}) -> (tensor<16x4xf32>, tensor<f32>) attributes {iree.reflection = {polyrhythm.inputs = "cond,x,t,dt,target,weights,beta", polyrhythm.outputs = "x,t"}} {
    %0:7 = util.optimization_barrier %arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6 : tensor<3x28x96xf32>, tensor<16x4xf32>, tensor<f32>, tensor<f32>, tensor<16x4xf32>, tensor<16xf32>, tensor<f32>
    %$action_in.b = util.global.load @"$action_in.b" : tensor<96xf32>
    %$action_in.w = util.global.load @"$action_in.w" : tensor<4x96xf32>
    %$action_out.b = util.global.load @"$action_out.b" : tensor<4xf32>
    %$action_out.w = util.global.load @"$action_out.w" : tensor<96x4xf32>
    %$clock0.b = util.global.load @"$clock0.b" : tensor<96xf32>
    %$clock0.w = util.global.load @"$clock0.w" : tensor<64x96xf32>
    %$clock1.b = util.global.load @"$clock1.b" : tensor<384xf32>
    %$clock1.w = util.global.load @"$clock1.w" : tensor<96x384xf32>
    %$layer0.context_out.b = util.global.load @"$layer0.context_out.b" : tensor<96xf32>
    %$layer0.context_out.w = util.global.load @"$layer0.context_out.w" : tensor<96x96xf32>
    %$layer0.down.b = util.global.load @"$layer0.down.b" : tensor<96xf32>
    %$layer0.down.w = util.global.load @"$layer0.down.w" : tensor<192x96xf32>
    %$layer0.query.b = util.global.load @"$layer0.query.b" : tensor<96xf32>
    %$layer0.query.w = util.global.load @"$layer0.query.w" : tensor<96x96xf32>
    %$layer0.self.b = util.global.load @"$layer0.self.b" : tensor<288xf32>
    %$layer0.self.w = util.global.load @"$layer0.self.w" : tensor<96x288xf32>
    %$layer0.self_out.b = util.global.load @"$layer0.self_out.b" : tensor<96xf32>
    %$layer0.self_out.w = util.global.load @"$layer0.self_out.w" : tensor<96x96xf32>
    %$layer0.up.b = util.global.load @"$layer0.up.b" : tensor<192xf32>
    %$layer0.up.w = util.global.load @"$layer0.up.w" : tensor<96x192xf32>
    %$layer1.context_out.b = util.global.load @"$layer1.context_out.b" : tensor<96xf32>
    %$layer1.context_out.w = util.global.load @"$layer1.context_out.w" : tensor<96x96xf32>
    %$layer1.down.b = util.global.load @"$layer1.down.b" : tensor<96xf32>
    %$layer1.down.w = util.global.load @"$layer1.down.w" : tensor<192x96xf32>
    %$layer1.query.b = util.global.load @"$layer1.query.b" : tensor<96xf32>
    %$layer1.query.w = util.global.load @"$layer1.query.w" : tensor<96x96xf32>
    %$layer1.self.b = util.global.load @"$layer1.self.b" : tensor<288xf32>
    %$layer1.self.w = util.global.load @"$layer1.self.w" : tensor<96x288xf32>
    %$layer1.self_out.b = util.global.load @"$layer1.self_out.b" : tensor<96xf32>
    %$layer1.self_out.w = util.global.load @"$layer1.self_out.w" : tensor<96x96xf32>
    %$layer1.up.b = util.global.load @"$layer1.up.b" : tensor<192xf32>
    %$layer1.up.w = util.global.load @"$layer1.up.w" : tensor<96x192xf32>
    %$layer2.context_out.b = util.global.load @"$layer2.context_out.b" : tensor<96xf32>
    %$layer2.context_out.w = util.global.load @"$layer2.context_out.w" : tensor<96x96xf32>
    %$layer2.down.b = util.global.load @"$layer2.down.b" : tensor<96xf32>
    %$layer2.down.w = util.global.load @"$layer2.down.w" : tensor<192x96xf32>
    %$layer2.query.b = util.global.load @"$layer2.query.b" : tensor<96xf32>
    %$layer2.query.w = util.global.load @"$layer2.query.w" : tensor<96x96xf32>
    %$layer2.self.b = util.global.load @"$layer2.self.b" : tensor<288xf32>
    %$layer2.self.w = util.global.load @"$layer2.self.w" : tensor<96x288xf32>
    %$layer2.self_out.b = util.global.load @"$layer2.self_out.b" : tensor<96xf32>
    %$layer2.self_out.w = util.global.load @"$layer2.self_out.w" : tensor<96x96xf32>
    %$layer2.up.b = util.global.load @"$layer2.up.b" : tensor<192xf32>
    %$layer2.up.w = util.global.load @"$layer2.up.w" : tensor<96x192xf32>
    %$tick_position = util.global.load @"$tick_position" : tensor<16x96xf32>
    %cst = stablehlo.constant dense<[1.000000e+00, 1.1601553, 1.34596038, 1.56152296, 1.81160915, 2.10174799, 2.43835402, 2.82886934, 3.28192782, 3.80754614, 4.41734457, 5.12480593, 5.94557094, 6.89778519, 8.00250244, 9.28414535, 10.7710505, 12.4960918, 14.497407, 16.8192425, 19.5129337, 22.6380348, 26.2636356, 30.4698963, 35.3498116, 41.0112724, 47.5794449, 55.199543, 64.040039, 74.2963943, 86.1953582, 1.000000e+02]> : tensor<32xf32>
    %1 = stablehlo.broadcast_in_dim %arg5, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %2 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<1xf32>) -> tensor<32xf32>
    %4 = stablehlo.multiply %3, %cst : tensor<32xf32>
    %5 = stablehlo.cosine %4 : tensor<32xf32>
    %6 = stablehlo.sine %4 : tensor<32xf32>
    %7 = stablehlo.concatenate %5, %6, dim = 0 : (tensor<32xf32>, tensor<32xf32>) -> tensor<64xf32>
    %8 = stablehlo.dot_general %7, %$clock0.w, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64xf32>, tensor<64x96xf32>) -> tensor<96xf32>
    %9 = stablehlo.add %8, %$clock0.b : tensor<96xf32>
    %10 = call @step_vjp$silu(%9) : (tensor<96xf32>) -> tensor<96xf32>
    %11 = stablehlo.dot_general %10, %$clock1.w, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<96xf32>, tensor<96x384xf32>) -> tensor<384xf32>
    %12 = stablehlo.add %11, %$clock1.b : tensor<384xf32>
    %13 = stablehlo.reshape %12 : (tensor<384xf32>) -> tensor<4x96xf32>
    %14 = stablehlo.dot_general %arg1, %$action_in.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x4xf32>, tensor<4x96xf32>) -> tensor<16x96xf32>
    %15 = stablehlo.broadcast_in_dim %$action_in.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %17 = stablehlo.add %14, %16 : tensor<16x96xf32>
    %18 = stablehlo.add %17, %$tick_position : tensor<16x96xf32>
    %19 = stablehlo.slice %arg0 [0:1, 0:12, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x12x96xf32>
    %20 = stablehlo.reshape %19 : (tensor<1x12x96xf32>) -> tensor<12x96xf32>
    %21 = stablehlo.slice %arg0 [0:1, 12:24, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x12x96xf32>
    %22 = stablehlo.reshape %21 : (tensor<1x12x96xf32>) -> tensor<12x96xf32>
    %23 = stablehlo.slice %arg0 [0:1, 24:28, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x4x96xf32>
    %24 = stablehlo.reshape %23 : (tensor<1x4x96xf32>) -> tensor<4x96xf32>
    %25 = stablehlo.add %24, %13 : tensor<4x96xf32>
    %26 = stablehlo.slice %25 [0:1, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %27 = stablehlo.reshape %26 : (tensor<1x96xf32>) -> tensor<96xf32>
    %28 = stablehlo.slice %25 [1:2, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %29 = stablehlo.reshape %28 : (tensor<1x96xf32>) -> tensor<96xf32>
    %30 = stablehlo.slice %25 [2:3, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %31 = stablehlo.reshape %30 : (tensor<1x96xf32>) -> tensor<96xf32>
    %32 = stablehlo.slice %25 [3:4, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %33 = stablehlo.reshape %32 : (tensor<1x96xf32>) -> tensor<96xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.reduce(%18 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_1 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %37 = stablehlo.divide %35, %36 : tensor<16x1xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %39 = stablehlo.subtract %18, %38 : tensor<16x96xf32>
    %40 = stablehlo.multiply %39, %39 : tensor<16x96xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = stablehlo.reduce(%40 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_3 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %44 = stablehlo.divide %42, %43 : tensor<16x1xf32>
    %cst_4 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %46 = stablehlo.add %44, %45 : tensor<16x1xf32>
    %47 = stablehlo.rsqrt %46 : tensor<16x1xf32>
    %48 = stablehlo.divide %47, %46 : tensor<16x1xf32>
    %cst_5 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %50 = stablehlo.multiply %49, %48 : tensor<16x1xf32>
    %51 = stablehlo.broadcast_in_dim %47, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %52 = stablehlo.multiply %39, %51 : tensor<16x96xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<96xf32>
    %54 = stablehlo.add %53, %29 : tensor<96xf32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %57 = stablehlo.multiply %52, %56 : tensor<16x96xf32>
    %58 = stablehlo.broadcast_in_dim %27, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %59 = stablehlo.broadcast_in_dim %58, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %60 = stablehlo.add %57, %59 : tensor<16x96xf32>
    %61 = stablehlo.dot_general %60, %$layer0.self.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x288xf32>) -> tensor<16x288xf32>
    %62 = stablehlo.broadcast_in_dim %$layer0.self.b, dims = [1] : (tensor<288xf32>) -> tensor<1x288xf32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [0, 1] : (tensor<1x288xf32>) -> tensor<16x288xf32>
    %64 = stablehlo.add %61, %63 : tensor<16x288xf32>
    %65 = stablehlo.slice %64 [0:16, 0:96] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %66 = stablehlo.slice %64 [0:16, 96:192] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %67 = stablehlo.slice %64 [0:16, 192:288] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %68 = stablehlo.reshape %65 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %69 = stablehlo.transpose %68, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %70 = stablehlo.reshape %66 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %71 = stablehlo.transpose %70, dims = [1, 2, 0] : (tensor<16x4x24xf32>) -> tensor<4x24x16xf32>
    %72 = stablehlo.reshape %67 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %73 = stablehlo.transpose %72, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %74 = stablehlo.dot_general %69, %71, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x24x16xf32>) -> tensor<4x16x16xf32>
    %cst_7 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %76 = stablehlo.multiply %74, %75 : tensor<4x16x16xf32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %77 = stablehlo.reduce(%76 init: %cst_8) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %78 = stablehlo.reshape %77 : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %79 = stablehlo.broadcast_in_dim %78, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %80 = stablehlo.compare EQ, %76, %79, FLOAT : (tensor<4x16x16xf32>, tensor<4x16x16xf32>) -> tensor<4x16x16xi1>
    %81 = stablehlo.convert %80 : (tensor<4x16x16xi1>) -> tensor<4x16x16xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %82 = stablehlo.reduce(%81 init: %cst_9) applies stablehlo.add across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %cst_10 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %84 = stablehlo.maximum %83, %77 : tensor<4x16xf32>
    %85 = stablehlo.compare EQ, %77, %84, FLOAT : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xi1>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %88 = stablehlo.select %85, %86, %87 : tensor<4x16xi1>, tensor<4x16xf32>
    %cst_13 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %90 = stablehlo.compare EQ, %89, %84, FLOAT : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xi1>
    %cst_14 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %93 = stablehlo.select %90, %91, %92 : tensor<4x16xi1>, tensor<4x16xf32>
    %94 = stablehlo.divide %88, %93 : tensor<4x16xf32>
    %95 = stablehlo.broadcast_in_dim %84, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %96 = stablehlo.broadcast_in_dim %95, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %97 = stablehlo.subtract %76, %96 : tensor<4x16x16xf32>
    %98 = stablehlo.exponential %97 : tensor<4x16x16xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %99 = stablehlo.reduce(%98 init: %cst_16) applies stablehlo.add across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %100 = stablehlo.broadcast_in_dim %99, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %101 = stablehlo.broadcast_in_dim %100, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %102 = stablehlo.divide %98, %101 : tensor<4x16x16xf32>
    %103 = stablehlo.multiply %100, %100 : tensor<4x16x1xf32>
    %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %105 = stablehlo.divide %104, %103 : tensor<4x16x1xf32>
    %106 = stablehlo.dot_general %102, %73, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x16xf32>, tensor<4x16x24xf32>) -> tensor<4x16x24xf32>
    %107 = stablehlo.transpose %106, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %108 = stablehlo.reshape %107 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %109 = stablehlo.dot_general %108, %$layer0.self_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %110 = stablehlo.broadcast_in_dim %$layer0.self_out.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %111 = stablehlo.broadcast_in_dim %110, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %112 = stablehlo.add %109, %111 : tensor<16x96xf32>
    %113 = stablehlo.add %18, %112 : tensor<16x96xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %114 = stablehlo.reduce(%113 init: %cst_18) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %115 = stablehlo.broadcast_in_dim %114, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_19 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %116 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %117 = stablehlo.divide %115, %116 : tensor<16x1xf32>
    %118 = stablehlo.broadcast_in_dim %117, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %119 = stablehlo.subtract %113, %118 : tensor<16x96xf32>
    %120 = stablehlo.multiply %119, %119 : tensor<16x96xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %121 = stablehlo.reduce(%120 init: %cst_20) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %122 = stablehlo.broadcast_in_dim %121, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_21 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %123 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %124 = stablehlo.divide %122, %123 : tensor<16x1xf32>
    %cst_22 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %125 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %126 = stablehlo.add %124, %125 : tensor<16x1xf32>
    %127 = stablehlo.rsqrt %126 : tensor<16x1xf32>
    %128 = stablehlo.divide %127, %126 : tensor<16x1xf32>
    %cst_23 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %129 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %130 = stablehlo.multiply %129, %128 : tensor<16x1xf32>
    %131 = stablehlo.broadcast_in_dim %127, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %132 = stablehlo.multiply %119, %131 : tensor<16x96xf32>
    %133 = stablehlo.dot_general %132, %$layer0.query.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %134 = stablehlo.broadcast_in_dim %$layer0.query.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %135 = stablehlo.broadcast_in_dim %134, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %136 = stablehlo.add %133, %135 : tensor<16x96xf32>
    %137 = stablehlo.reshape %136 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %138 = stablehlo.transpose %137, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %139 = stablehlo.reshape %20 : (tensor<12x96xf32>) -> tensor<12x4x24xf32>
    %140 = stablehlo.transpose %139, dims = [1, 2, 0] : (tensor<12x4x24xf32>) -> tensor<4x24x12xf32>
    %141 = stablehlo.reshape %22 : (tensor<12x96xf32>) -> tensor<12x4x24xf32>
    %142 = stablehlo.transpose %141, dims = [1, 0, 2] : (tensor<12x4x24xf32>) -> tensor<4x12x24xf32>
    %143 = stablehlo.dot_general %138, %140, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x24x12xf32>) -> tensor<4x16x12xf32>
    %cst_24 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %144 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<4x16x12xf32>
    %145 = stablehlo.multiply %143, %144 : tensor<4x16x12xf32>
    %cst_25 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %146 = stablehlo.reduce(%145 init: %cst_25) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x12xf32>, tensor<f32>) -> tensor<4x16xf32>
    %147 = stablehlo.reshape %146 : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %148 = stablehlo.broadcast_in_dim %147, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %149 = stablehlo.compare EQ, %145, %148, FLOAT : (tensor<4x16x12xf32>, tensor<4x16x12xf32>) -> tensor<4x16x12xi1>
    %150 = stablehlo.convert %149 : (tensor<4x16x12xi1>) -> tensor<4x16x12xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %151 = stablehlo.reduce(%150 init: %cst_26) applies stablehlo.add across dimensions = [2] : (tensor<4x16x12xf32>, tensor<f32>) -> tensor<4x16xf32>
    %cst_27 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %152 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %153 = stablehlo.maximum %152, %146 : tensor<4x16xf32>
    %154 = stablehlo.compare EQ, %146, %153, FLOAT : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xi1>
    %cst_28 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %155 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %156 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %157 = stablehlo.select %154, %155, %156 : tensor<4x16xi1>, tensor<4x16xf32>
    %cst_30 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %158 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %159 = stablehlo.compare EQ, %158, %153, FLOAT : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xi1>
    %cst_31 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %160 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %cst_32 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %161 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %162 = stablehlo.select %159, %160, %161 : tensor<4x16xi1>, tensor<4x16xf32>
    %163 = stablehlo.divide %157, %162 : tensor<4x16xf32>
    %164 = stablehlo.broadcast_in_dim %153, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %165 = stablehlo.broadcast_in_dim %164, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %166 = stablehlo.subtract %145, %165 : tensor<4x16x12xf32>
    %167 = stablehlo.exponential %166 : tensor<4x16x12xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %168 = stablehlo.reduce(%167 init: %cst_33) applies stablehlo.add across dimensions = [2] : (tensor<4x16x12xf32>, tensor<f32>) -> tensor<4x16xf32>
    %169 = stablehlo.broadcast_in_dim %168, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %170 = stablehlo.broadcast_in_dim %169, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %171 = stablehlo.divide %167, %170 : tensor<4x16x12xf32>
    %172 = stablehlo.multiply %169, %169 : tensor<4x16x1xf32>
    %cst_34 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %173 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %174 = stablehlo.divide %173, %172 : tensor<4x16x1xf32>
    %175 = stablehlo.dot_general %171, %142, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x12xf32>, tensor<4x12x24xf32>) -> tensor<4x16x24xf32>
    %176 = stablehlo.transpose %175, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %177 = stablehlo.reshape %176 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %178 = stablehlo.dot_general %177, %$layer0.context_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %179 = stablehlo.broadcast_in_dim %$layer0.context_out.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %180 = stablehlo.broadcast_in_dim %179, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %181 = stablehlo.add %178, %180 : tensor<16x96xf32>
    %182 = stablehlo.add %113, %181 : tensor<16x96xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %183 = stablehlo.reduce(%182 init: %cst_35) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %184 = stablehlo.broadcast_in_dim %183, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_36 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %185 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %186 = stablehlo.divide %184, %185 : tensor<16x1xf32>
    %187 = stablehlo.broadcast_in_dim %186, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %188 = stablehlo.subtract %182, %187 : tensor<16x96xf32>
    %189 = stablehlo.multiply %188, %188 : tensor<16x96xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %190 = stablehlo.reduce(%189 init: %cst_37) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %191 = stablehlo.broadcast_in_dim %190, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_38 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %192 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %193 = stablehlo.divide %191, %192 : tensor<16x1xf32>
    %cst_39 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %194 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %195 = stablehlo.add %193, %194 : tensor<16x1xf32>
    %196 = stablehlo.rsqrt %195 : tensor<16x1xf32>
    %197 = stablehlo.divide %196, %195 : tensor<16x1xf32>
    %cst_40 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %198 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %199 = stablehlo.multiply %198, %197 : tensor<16x1xf32>
    %200 = stablehlo.broadcast_in_dim %196, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %201 = stablehlo.multiply %188, %200 : tensor<16x96xf32>
    %cst_41 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %202 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<96xf32>
    %203 = stablehlo.add %202, %33 : tensor<96xf32>
    %204 = stablehlo.broadcast_in_dim %203, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %205 = stablehlo.broadcast_in_dim %204, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %206 = stablehlo.multiply %201, %205 : tensor<16x96xf32>
    %207 = stablehlo.broadcast_in_dim %31, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %208 = stablehlo.broadcast_in_dim %207, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %209 = stablehlo.add %206, %208 : tensor<16x96xf32>
    %210 = stablehlo.dot_general %209, %$layer0.up.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x192xf32>) -> tensor<16x192xf32>
    %211 = stablehlo.broadcast_in_dim %$layer0.up.b, dims = [1] : (tensor<192xf32>) -> tensor<1x192xf32>
    %212 = stablehlo.broadcast_in_dim %211, dims = [0, 1] : (tensor<1x192xf32>) -> tensor<16x192xf32>
    %213 = stablehlo.add %210, %212 : tensor<16x192xf32>
    %214 = stablehlo.multiply %213, %213 : tensor<16x192xf32>
    %215 = stablehlo.multiply %214, %213 : tensor<16x192xf32>
    %216 = stablehlo.multiply %213, %213 : tensor<16x192xf32>
    %cst_42 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %217 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %218 = stablehlo.multiply %217, %216 : tensor<16x192xf32>
    %cst_43 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %219 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %220 = stablehlo.multiply %219, %215 : tensor<16x192xf32>
    %221 = stablehlo.add %213, %220 : tensor<16x192xf32>
    %cst_44 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %222 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %223 = stablehlo.multiply %222, %221 : tensor<16x192xf32>
    %224 = stablehlo.tanh %223 : tensor<16x192xf32>
    %cst_45 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %225 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %226 = stablehlo.subtract %225, %224 : tensor<16x192xf32>
    %cst_46 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %227 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %228 = stablehlo.add %227, %224 : tensor<16x192xf32>
    %cst_47 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %229 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %230 = stablehlo.multiply %229, %228 : tensor<16x192xf32>
    %231 = stablehlo.multiply %213, %230 : tensor<16x192xf32>
    %232 = stablehlo.dot_general %231, %$layer0.down.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x192xf32>, tensor<192x96xf32>) -> tensor<16x96xf32>
    %233 = stablehlo.broadcast_in_dim %$layer0.down.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %234 = stablehlo.broadcast_in_dim %233, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %235 = stablehlo.add %232, %234 : tensor<16x96xf32>
    %236 = stablehlo.add %182, %235 : tensor<16x96xf32>
    %237 = stablehlo.slice %arg0 [1:2, 0:12, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x12x96xf32>
    %238 = stablehlo.reshape %237 : (tensor<1x12x96xf32>) -> tensor<12x96xf32>
    %239 = stablehlo.slice %arg0 [1:2, 12:24, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x12x96xf32>
    %240 = stablehlo.reshape %239 : (tensor<1x12x96xf32>) -> tensor<12x96xf32>
    %241 = stablehlo.slice %arg0 [1:2, 24:28, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x4x96xf32>
    %242 = stablehlo.reshape %241 : (tensor<1x4x96xf32>) -> tensor<4x96xf32>
    %243 = stablehlo.add %242, %13 : tensor<4x96xf32>
    %244 = stablehlo.slice %243 [0:1, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %245 = stablehlo.reshape %244 : (tensor<1x96xf32>) -> tensor<96xf32>
    %246 = stablehlo.slice %243 [1:2, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %247 = stablehlo.reshape %246 : (tensor<1x96xf32>) -> tensor<96xf32>
    %248 = stablehlo.slice %243 [2:3, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %249 = stablehlo.reshape %248 : (tensor<1x96xf32>) -> tensor<96xf32>
    %250 = stablehlo.slice %243 [3:4, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %251 = stablehlo.reshape %250 : (tensor<1x96xf32>) -> tensor<96xf32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %252 = stablehlo.reduce(%236 init: %cst_48) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %253 = stablehlo.broadcast_in_dim %252, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_49 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %254 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %255 = stablehlo.divide %253, %254 : tensor<16x1xf32>
    %256 = stablehlo.broadcast_in_dim %255, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %257 = stablehlo.subtract %236, %256 : tensor<16x96xf32>
    %258 = stablehlo.multiply %257, %257 : tensor<16x96xf32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %259 = stablehlo.reduce(%258 init: %cst_50) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %260 = stablehlo.broadcast_in_dim %259, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_51 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %261 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %262 = stablehlo.divide %260, %261 : tensor<16x1xf32>
    %cst_52 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %263 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %264 = stablehlo.add %262, %263 : tensor<16x1xf32>
    %265 = stablehlo.rsqrt %264 : tensor<16x1xf32>
    %266 = stablehlo.divide %265, %264 : tensor<16x1xf32>
    %cst_53 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %267 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %268 = stablehlo.multiply %267, %266 : tensor<16x1xf32>
    %269 = stablehlo.broadcast_in_dim %265, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %270 = stablehlo.multiply %257, %269 : tensor<16x96xf32>
    %cst_54 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %271 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<96xf32>
    %272 = stablehlo.add %271, %247 : tensor<96xf32>
    %273 = stablehlo.broadcast_in_dim %272, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %274 = stablehlo.broadcast_in_dim %273, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %275 = stablehlo.multiply %270, %274 : tensor<16x96xf32>
    %276 = stablehlo.broadcast_in_dim %245, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %277 = stablehlo.broadcast_in_dim %276, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %278 = stablehlo.add %275, %277 : tensor<16x96xf32>
    %279 = stablehlo.dot_general %278, %$layer1.self.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x288xf32>) -> tensor<16x288xf32>
    %280 = stablehlo.broadcast_in_dim %$layer1.self.b, dims = [1] : (tensor<288xf32>) -> tensor<1x288xf32>
    %281 = stablehlo.broadcast_in_dim %280, dims = [0, 1] : (tensor<1x288xf32>) -> tensor<16x288xf32>
    %282 = stablehlo.add %279, %281 : tensor<16x288xf32>
    %283 = stablehlo.slice %282 [0:16, 0:96] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %284 = stablehlo.slice %282 [0:16, 96:192] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %285 = stablehlo.slice %282 [0:16, 192:288] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %286 = stablehlo.reshape %283 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %287 = stablehlo.transpose %286, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %288 = stablehlo.reshape %284 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %289 = stablehlo.transpose %288, dims = [1, 2, 0] : (tensor<16x4x24xf32>) -> tensor<4x24x16xf32>
    %290 = stablehlo.reshape %285 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %291 = stablehlo.transpose %290, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %292 = stablehlo.dot_general %287, %289, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x24x16xf32>) -> tensor<4x16x16xf32>
    %cst_55 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %293 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %294 = stablehlo.multiply %292, %293 : tensor<4x16x16xf32>
    %cst_56 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %295 = stablehlo.reduce(%294 init: %cst_56) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %296 = stablehlo.reshape %295 : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %297 = stablehlo.broadcast_in_dim %296, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %298 = stablehlo.compare EQ, %294, %297, FLOAT : (tensor<4x16x16xf32>, tensor<4x16x16xf32>) -> tensor<4x16x16xi1>
    %299 = stablehlo.convert %298 : (tensor<4x16x16xi1>) -> tensor<4x16x16xf32>
    %cst_57 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %300 = stablehlo.reduce(%299 init: %cst_57) applies stablehlo.add across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %cst_58 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %301 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %302 = stablehlo.maximum %301, %295 : tensor<4x16xf32>
    %303 = stablehlo.compare EQ, %295, %302, FLOAT : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xi1>
    %cst_59 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %304 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %cst_60 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %305 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %306 = stablehlo.select %303, %304, %305 : tensor<4x16xi1>, tensor<4x16xf32>
    %cst_61 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %307 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %308 = stablehlo.compare EQ, %307, %302, FLOAT : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xi1>
    %cst_62 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %309 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %cst_63 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %310 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %311 = stablehlo.select %308, %309, %310 : tensor<4x16xi1>, tensor<4x16xf32>
    %312 = stablehlo.divide %306, %311 : tensor<4x16xf32>
    %313 = stablehlo.broadcast_in_dim %302, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %314 = stablehlo.broadcast_in_dim %313, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %315 = stablehlo.subtract %294, %314 : tensor<4x16x16xf32>
    %316 = stablehlo.exponential %315 : tensor<4x16x16xf32>
    %cst_64 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %317 = stablehlo.reduce(%316 init: %cst_64) applies stablehlo.add across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %318 = stablehlo.broadcast_in_dim %317, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %319 = stablehlo.broadcast_in_dim %318, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %320 = stablehlo.divide %316, %319 : tensor<4x16x16xf32>
    %321 = stablehlo.multiply %318, %318 : tensor<4x16x1xf32>
    %cst_65 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %322 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %323 = stablehlo.divide %322, %321 : tensor<4x16x1xf32>
    %324 = stablehlo.dot_general %320, %291, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x16xf32>, tensor<4x16x24xf32>) -> tensor<4x16x24xf32>
    %325 = stablehlo.transpose %324, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %326 = stablehlo.reshape %325 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %327 = stablehlo.dot_general %326, %$layer1.self_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %328 = stablehlo.broadcast_in_dim %$layer1.self_out.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %329 = stablehlo.broadcast_in_dim %328, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %330 = stablehlo.add %327, %329 : tensor<16x96xf32>
    %331 = stablehlo.add %236, %330 : tensor<16x96xf32>
    %cst_66 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %332 = stablehlo.reduce(%331 init: %cst_66) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %333 = stablehlo.broadcast_in_dim %332, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_67 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %334 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %335 = stablehlo.divide %333, %334 : tensor<16x1xf32>
    %336 = stablehlo.broadcast_in_dim %335, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %337 = stablehlo.subtract %331, %336 : tensor<16x96xf32>
    %338 = stablehlo.multiply %337, %337 : tensor<16x96xf32>
    %cst_68 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %339 = stablehlo.reduce(%338 init: %cst_68) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %340 = stablehlo.broadcast_in_dim %339, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_69 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %341 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %342 = stablehlo.divide %340, %341 : tensor<16x1xf32>
    %cst_70 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %343 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %344 = stablehlo.add %342, %343 : tensor<16x1xf32>
    %345 = stablehlo.rsqrt %344 : tensor<16x1xf32>
    %346 = stablehlo.divide %345, %344 : tensor<16x1xf32>
    %cst_71 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %347 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %348 = stablehlo.multiply %347, %346 : tensor<16x1xf32>
    %349 = stablehlo.broadcast_in_dim %345, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %350 = stablehlo.multiply %337, %349 : tensor<16x96xf32>
    %351 = stablehlo.dot_general %350, %$layer1.query.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %352 = stablehlo.broadcast_in_dim %$layer1.query.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %353 = stablehlo.broadcast_in_dim %352, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %354 = stablehlo.add %351, %353 : tensor<16x96xf32>
    %355 = stablehlo.reshape %354 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %356 = stablehlo.transpose %355, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %357 = stablehlo.reshape %238 : (tensor<12x96xf32>) -> tensor<12x4x24xf32>
    %358 = stablehlo.transpose %357, dims = [1, 2, 0] : (tensor<12x4x24xf32>) -> tensor<4x24x12xf32>
    %359 = stablehlo.reshape %240 : (tensor<12x96xf32>) -> tensor<12x4x24xf32>
    %360 = stablehlo.transpose %359, dims = [1, 0, 2] : (tensor<12x4x24xf32>) -> tensor<4x12x24xf32>
    %361 = stablehlo.dot_general %356, %358, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x24x12xf32>) -> tensor<4x16x12xf32>
    %cst_72 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %362 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<4x16x12xf32>
    %363 = stablehlo.multiply %361, %362 : tensor<4x16x12xf32>
    %cst_73 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %364 = stablehlo.reduce(%363 init: %cst_73) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x12xf32>, tensor<f32>) -> tensor<4x16xf32>
    %365 = stablehlo.reshape %364 : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %366 = stablehlo.broadcast_in_dim %365, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %367 = stablehlo.compare EQ, %363, %366, FLOAT : (tensor<4x16x12xf32>, tensor<4x16x12xf32>) -> tensor<4x16x12xi1>
    %368 = stablehlo.convert %367 : (tensor<4x16x12xi1>) -> tensor<4x16x12xf32>
    %cst_74 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %369 = stablehlo.reduce(%368 init: %cst_74) applies stablehlo.add across dimensions = [2] : (tensor<4x16x12xf32>, tensor<f32>) -> tensor<4x16xf32>
    %cst_75 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %370 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %371 = stablehlo.maximum %370, %364 : tensor<4x16xf32>
    %372 = stablehlo.compare EQ, %364, %371, FLOAT : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xi1>
    %cst_76 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %373 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %cst_77 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %374 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %375 = stablehlo.select %372, %373, %374 : tensor<4x16xi1>, tensor<4x16xf32>
    %cst_78 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %376 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %377 = stablehlo.compare EQ, %376, %371, FLOAT : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xi1>
    %cst_79 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %378 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %cst_80 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %379 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %380 = stablehlo.select %377, %378, %379 : tensor<4x16xi1>, tensor<4x16xf32>
    %381 = stablehlo.divide %375, %380 : tensor<4x16xf32>
    %382 = stablehlo.broadcast_in_dim %371, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %383 = stablehlo.broadcast_in_dim %382, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %384 = stablehlo.subtract %363, %383 : tensor<4x16x12xf32>
    %385 = stablehlo.exponential %384 : tensor<4x16x12xf32>
    %cst_81 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %386 = stablehlo.reduce(%385 init: %cst_81) applies stablehlo.add across dimensions = [2] : (tensor<4x16x12xf32>, tensor<f32>) -> tensor<4x16xf32>
    %387 = stablehlo.broadcast_in_dim %386, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %388 = stablehlo.broadcast_in_dim %387, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %389 = stablehlo.divide %385, %388 : tensor<4x16x12xf32>
    %390 = stablehlo.multiply %387, %387 : tensor<4x16x1xf32>
    %cst_82 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %391 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %392 = stablehlo.divide %391, %390 : tensor<4x16x1xf32>
    %393 = stablehlo.dot_general %389, %360, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x12xf32>, tensor<4x12x24xf32>) -> tensor<4x16x24xf32>
    %394 = stablehlo.transpose %393, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %395 = stablehlo.reshape %394 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %396 = stablehlo.dot_general %395, %$layer1.context_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %397 = stablehlo.broadcast_in_dim %$layer1.context_out.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %398 = stablehlo.broadcast_in_dim %397, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %399 = stablehlo.add %396, %398 : tensor<16x96xf32>
    %400 = stablehlo.add %331, %399 : tensor<16x96xf32>
    %cst_83 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %401 = stablehlo.reduce(%400 init: %cst_83) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %402 = stablehlo.broadcast_in_dim %401, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_84 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %403 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %404 = stablehlo.divide %402, %403 : tensor<16x1xf32>
    %405 = stablehlo.broadcast_in_dim %404, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %406 = stablehlo.subtract %400, %405 : tensor<16x96xf32>
    %407 = stablehlo.multiply %406, %406 : tensor<16x96xf32>
    %cst_85 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %408 = stablehlo.reduce(%407 init: %cst_85) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %409 = stablehlo.broadcast_in_dim %408, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_86 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %410 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %411 = stablehlo.divide %409, %410 : tensor<16x1xf32>
    %cst_87 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %412 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %413 = stablehlo.add %411, %412 : tensor<16x1xf32>
    %414 = stablehlo.rsqrt %413 : tensor<16x1xf32>
    %415 = stablehlo.divide %414, %413 : tensor<16x1xf32>
    %cst_88 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %416 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %417 = stablehlo.multiply %416, %415 : tensor<16x1xf32>
    %418 = stablehlo.broadcast_in_dim %414, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %419 = stablehlo.multiply %406, %418 : tensor<16x96xf32>
    %cst_89 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %420 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<f32>) -> tensor<96xf32>
    %421 = stablehlo.add %420, %251 : tensor<96xf32>
    %422 = stablehlo.broadcast_in_dim %421, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %423 = stablehlo.broadcast_in_dim %422, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %424 = stablehlo.multiply %419, %423 : tensor<16x96xf32>
    %425 = stablehlo.broadcast_in_dim %249, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %426 = stablehlo.broadcast_in_dim %425, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %427 = stablehlo.add %424, %426 : tensor<16x96xf32>
    %428 = stablehlo.dot_general %427, %$layer1.up.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x192xf32>) -> tensor<16x192xf32>
    %429 = stablehlo.broadcast_in_dim %$layer1.up.b, dims = [1] : (tensor<192xf32>) -> tensor<1x192xf32>
    %430 = stablehlo.broadcast_in_dim %429, dims = [0, 1] : (tensor<1x192xf32>) -> tensor<16x192xf32>
    %431 = stablehlo.add %428, %430 : tensor<16x192xf32>
    %432 = stablehlo.multiply %431, %431 : tensor<16x192xf32>
    %433 = stablehlo.multiply %432, %431 : tensor<16x192xf32>
    %434 = stablehlo.multiply %431, %431 : tensor<16x192xf32>
    %cst_90 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %435 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %436 = stablehlo.multiply %435, %434 : tensor<16x192xf32>
    %cst_91 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %437 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %438 = stablehlo.multiply %437, %433 : tensor<16x192xf32>
    %439 = stablehlo.add %431, %438 : tensor<16x192xf32>
    %cst_92 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %440 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %441 = stablehlo.multiply %440, %439 : tensor<16x192xf32>
    %442 = stablehlo.tanh %441 : tensor<16x192xf32>
    %cst_93 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %443 = stablehlo.broadcast_in_dim %cst_93, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %444 = stablehlo.subtract %443, %442 : tensor<16x192xf32>
    %cst_94 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %445 = stablehlo.broadcast_in_dim %cst_94, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %446 = stablehlo.add %445, %442 : tensor<16x192xf32>
    %cst_95 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %447 = stablehlo.broadcast_in_dim %cst_95, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %448 = stablehlo.multiply %447, %446 : tensor<16x192xf32>
    %449 = stablehlo.multiply %431, %448 : tensor<16x192xf32>
    %450 = stablehlo.dot_general %449, %$layer1.down.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x192xf32>, tensor<192x96xf32>) -> tensor<16x96xf32>
    %451 = stablehlo.broadcast_in_dim %$layer1.down.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %452 = stablehlo.broadcast_in_dim %451, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %453 = stablehlo.add %450, %452 : tensor<16x96xf32>
    %454 = stablehlo.add %400, %453 : tensor<16x96xf32>
    %455 = stablehlo.slice %arg0 [2:3, 0:12, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x12x96xf32>
    %456 = stablehlo.reshape %455 : (tensor<1x12x96xf32>) -> tensor<12x96xf32>
    %457 = stablehlo.slice %arg0 [2:3, 12:24, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x12x96xf32>
    %458 = stablehlo.reshape %457 : (tensor<1x12x96xf32>) -> tensor<12x96xf32>
    %459 = stablehlo.slice %arg0 [2:3, 24:28, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x4x96xf32>
    %460 = stablehlo.reshape %459 : (tensor<1x4x96xf32>) -> tensor<4x96xf32>
    %461 = stablehlo.add %460, %13 : tensor<4x96xf32>
    %462 = stablehlo.slice %461 [0:1, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %463 = stablehlo.reshape %462 : (tensor<1x96xf32>) -> tensor<96xf32>
    %464 = stablehlo.slice %461 [1:2, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %465 = stablehlo.reshape %464 : (tensor<1x96xf32>) -> tensor<96xf32>
    %466 = stablehlo.slice %461 [2:3, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %467 = stablehlo.reshape %466 : (tensor<1x96xf32>) -> tensor<96xf32>
    %468 = stablehlo.slice %461 [3:4, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %469 = stablehlo.reshape %468 : (tensor<1x96xf32>) -> tensor<96xf32>
    %cst_96 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %470 = stablehlo.reduce(%454 init: %cst_96) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %471 = stablehlo.broadcast_in_dim %470, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_97 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %472 = stablehlo.broadcast_in_dim %cst_97, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %473 = stablehlo.divide %471, %472 : tensor<16x1xf32>
    %474 = stablehlo.broadcast_in_dim %473, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %475 = stablehlo.subtract %454, %474 : tensor<16x96xf32>
    %476 = stablehlo.multiply %475, %475 : tensor<16x96xf32>
    %cst_98 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %477 = stablehlo.reduce(%476 init: %cst_98) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %478 = stablehlo.broadcast_in_dim %477, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_99 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %479 = stablehlo.broadcast_in_dim %cst_99, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %480 = stablehlo.divide %478, %479 : tensor<16x1xf32>
    %cst_100 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %481 = stablehlo.broadcast_in_dim %cst_100, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %482 = stablehlo.add %480, %481 : tensor<16x1xf32>
    %483 = stablehlo.rsqrt %482 : tensor<16x1xf32>
    %484 = stablehlo.divide %483, %482 : tensor<16x1xf32>
    %cst_101 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %485 = stablehlo.broadcast_in_dim %cst_101, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %486 = stablehlo.multiply %485, %484 : tensor<16x1xf32>
    %487 = stablehlo.broadcast_in_dim %483, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %488 = stablehlo.multiply %475, %487 : tensor<16x96xf32>
    %cst_102 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %489 = stablehlo.broadcast_in_dim %cst_102, dims = [] : (tensor<f32>) -> tensor<96xf32>
    %490 = stablehlo.add %489, %465 : tensor<96xf32>
    %491 = stablehlo.broadcast_in_dim %490, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %492 = stablehlo.broadcast_in_dim %491, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %493 = stablehlo.multiply %488, %492 : tensor<16x96xf32>
    %494 = stablehlo.broadcast_in_dim %463, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %495 = stablehlo.broadcast_in_dim %494, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %496 = stablehlo.add %493, %495 : tensor<16x96xf32>
    %497 = stablehlo.dot_general %496, %$layer2.self.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x288xf32>) -> tensor<16x288xf32>
    %498 = stablehlo.broadcast_in_dim %$layer2.self.b, dims = [1] : (tensor<288xf32>) -> tensor<1x288xf32>
    %499 = stablehlo.broadcast_in_dim %498, dims = [0, 1] : (tensor<1x288xf32>) -> tensor<16x288xf32>
    %500 = stablehlo.add %497, %499 : tensor<16x288xf32>
    %501 = stablehlo.slice %500 [0:16, 0:96] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %502 = stablehlo.slice %500 [0:16, 96:192] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %503 = stablehlo.slice %500 [0:16, 192:288] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %504 = stablehlo.reshape %501 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %505 = stablehlo.transpose %504, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %506 = stablehlo.reshape %502 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %507 = stablehlo.transpose %506, dims = [1, 2, 0] : (tensor<16x4x24xf32>) -> tensor<4x24x16xf32>
    %508 = stablehlo.reshape %503 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %509 = stablehlo.transpose %508, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %510 = stablehlo.dot_general %505, %507, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x24x16xf32>) -> tensor<4x16x16xf32>
    %cst_103 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %511 = stablehlo.broadcast_in_dim %cst_103, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %512 = stablehlo.multiply %510, %511 : tensor<4x16x16xf32>
    %cst_104 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %513 = stablehlo.reduce(%512 init: %cst_104) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %514 = stablehlo.reshape %513 : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %515 = stablehlo.broadcast_in_dim %514, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %516 = stablehlo.compare EQ, %512, %515, FLOAT : (tensor<4x16x16xf32>, tensor<4x16x16xf32>) -> tensor<4x16x16xi1>
    %517 = stablehlo.convert %516 : (tensor<4x16x16xi1>) -> tensor<4x16x16xf32>
    %cst_105 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %518 = stablehlo.reduce(%517 init: %cst_105) applies stablehlo.add across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %cst_106 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %519 = stablehlo.broadcast_in_dim %cst_106, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %520 = stablehlo.maximum %519, %513 : tensor<4x16xf32>
    %521 = stablehlo.compare EQ, %513, %520, FLOAT : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xi1>
    %cst_107 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %522 = stablehlo.broadcast_in_dim %cst_107, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %cst_108 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %523 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %524 = stablehlo.select %521, %522, %523 : tensor<4x16xi1>, tensor<4x16xf32>
    %cst_109 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %525 = stablehlo.broadcast_in_dim %cst_109, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %526 = stablehlo.compare EQ, %525, %520, FLOAT : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xi1>
    %cst_110 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %527 = stablehlo.broadcast_in_dim %cst_110, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %cst_111 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %528 = stablehlo.broadcast_in_dim %cst_111, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %529 = stablehlo.select %526, %527, %528 : tensor<4x16xi1>, tensor<4x16xf32>
    %530 = stablehlo.divide %524, %529 : tensor<4x16xf32>
    %531 = stablehlo.broadcast_in_dim %520, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %532 = stablehlo.broadcast_in_dim %531, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %533 = stablehlo.subtract %512, %532 : tensor<4x16x16xf32>
    %534 = stablehlo.exponential %533 : tensor<4x16x16xf32>
    %cst_112 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %535 = stablehlo.reduce(%534 init: %cst_112) applies stablehlo.add across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %536 = stablehlo.broadcast_in_dim %535, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %537 = stablehlo.broadcast_in_dim %536, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %538 = stablehlo.divide %534, %537 : tensor<4x16x16xf32>
    %539 = stablehlo.multiply %536, %536 : tensor<4x16x1xf32>
    %cst_113 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %540 = stablehlo.broadcast_in_dim %cst_113, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %541 = stablehlo.divide %540, %539 : tensor<4x16x1xf32>
    %542 = stablehlo.dot_general %538, %509, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x16xf32>, tensor<4x16x24xf32>) -> tensor<4x16x24xf32>
    %543 = stablehlo.transpose %542, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %544 = stablehlo.reshape %543 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %545 = stablehlo.dot_general %544, %$layer2.self_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %546 = stablehlo.broadcast_in_dim %$layer2.self_out.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %547 = stablehlo.broadcast_in_dim %546, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %548 = stablehlo.add %545, %547 : tensor<16x96xf32>
    %549 = stablehlo.add %454, %548 : tensor<16x96xf32>
    %cst_114 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %550 = stablehlo.reduce(%549 init: %cst_114) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %551 = stablehlo.broadcast_in_dim %550, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_115 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %552 = stablehlo.broadcast_in_dim %cst_115, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %553 = stablehlo.divide %551, %552 : tensor<16x1xf32>
    %554 = stablehlo.broadcast_in_dim %553, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %555 = stablehlo.subtract %549, %554 : tensor<16x96xf32>
    %556 = stablehlo.multiply %555, %555 : tensor<16x96xf32>
    %cst_116 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %557 = stablehlo.reduce(%556 init: %cst_116) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %558 = stablehlo.broadcast_in_dim %557, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_117 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %559 = stablehlo.broadcast_in_dim %cst_117, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %560 = stablehlo.divide %558, %559 : tensor<16x1xf32>
    %cst_118 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %561 = stablehlo.broadcast_in_dim %cst_118, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %562 = stablehlo.add %560, %561 : tensor<16x1xf32>
    %563 = stablehlo.rsqrt %562 : tensor<16x1xf32>
    %564 = stablehlo.divide %563, %562 : tensor<16x1xf32>
    %cst_119 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %565 = stablehlo.broadcast_in_dim %cst_119, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %566 = stablehlo.multiply %565, %564 : tensor<16x1xf32>
    %567 = stablehlo.broadcast_in_dim %563, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %568 = stablehlo.multiply %555, %567 : tensor<16x96xf32>
    %569 = stablehlo.dot_general %568, %$layer2.query.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %570 = stablehlo.broadcast_in_dim %$layer2.query.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %571 = stablehlo.broadcast_in_dim %570, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %572 = stablehlo.add %569, %571 : tensor<16x96xf32>
    %573 = stablehlo.reshape %572 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %574 = stablehlo.transpose %573, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %575 = stablehlo.reshape %456 : (tensor<12x96xf32>) -> tensor<12x4x24xf32>
    %576 = stablehlo.transpose %575, dims = [1, 2, 0] : (tensor<12x4x24xf32>) -> tensor<4x24x12xf32>
    %577 = stablehlo.reshape %458 : (tensor<12x96xf32>) -> tensor<12x4x24xf32>
    %578 = stablehlo.transpose %577, dims = [1, 0, 2] : (tensor<12x4x24xf32>) -> tensor<4x12x24xf32>
    %579 = stablehlo.dot_general %574, %576, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x24x12xf32>) -> tensor<4x16x12xf32>
    %cst_120 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %580 = stablehlo.broadcast_in_dim %cst_120, dims = [] : (tensor<f32>) -> tensor<4x16x12xf32>
    %581 = stablehlo.multiply %579, %580 : tensor<4x16x12xf32>
    %cst_121 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %582 = stablehlo.reduce(%581 init: %cst_121) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x12xf32>, tensor<f32>) -> tensor<4x16xf32>
    %583 = stablehlo.reshape %582 : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %584 = stablehlo.broadcast_in_dim %583, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %585 = stablehlo.compare EQ, %581, %584, FLOAT : (tensor<4x16x12xf32>, tensor<4x16x12xf32>) -> tensor<4x16x12xi1>
    %586 = stablehlo.convert %585 : (tensor<4x16x12xi1>) -> tensor<4x16x12xf32>
    %cst_122 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %587 = stablehlo.reduce(%586 init: %cst_122) applies stablehlo.add across dimensions = [2] : (tensor<4x16x12xf32>, tensor<f32>) -> tensor<4x16xf32>
    %cst_123 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %588 = stablehlo.broadcast_in_dim %cst_123, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %589 = stablehlo.maximum %588, %582 : tensor<4x16xf32>
    %590 = stablehlo.compare EQ, %582, %589, FLOAT : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xi1>
    %cst_124 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %591 = stablehlo.broadcast_in_dim %cst_124, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %cst_125 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %592 = stablehlo.broadcast_in_dim %cst_125, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %593 = stablehlo.select %590, %591, %592 : tensor<4x16xi1>, tensor<4x16xf32>
    %cst_126 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %594 = stablehlo.broadcast_in_dim %cst_126, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %595 = stablehlo.compare EQ, %594, %589, FLOAT : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xi1>
    %cst_127 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %596 = stablehlo.broadcast_in_dim %cst_127, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %cst_128 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %597 = stablehlo.broadcast_in_dim %cst_128, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %598 = stablehlo.select %595, %596, %597 : tensor<4x16xi1>, tensor<4x16xf32>
    %599 = stablehlo.divide %593, %598 : tensor<4x16xf32>
    %600 = stablehlo.broadcast_in_dim %589, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %601 = stablehlo.broadcast_in_dim %600, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %602 = stablehlo.subtract %581, %601 : tensor<4x16x12xf32>
    %603 = stablehlo.exponential %602 : tensor<4x16x12xf32>
    %cst_129 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %604 = stablehlo.reduce(%603 init: %cst_129) applies stablehlo.add across dimensions = [2] : (tensor<4x16x12xf32>, tensor<f32>) -> tensor<4x16xf32>
    %605 = stablehlo.broadcast_in_dim %604, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %606 = stablehlo.broadcast_in_dim %605, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %607 = stablehlo.divide %603, %606 : tensor<4x16x12xf32>
    %608 = stablehlo.multiply %605, %605 : tensor<4x16x1xf32>
    %cst_130 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %609 = stablehlo.broadcast_in_dim %cst_130, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %610 = stablehlo.divide %609, %608 : tensor<4x16x1xf32>
    %611 = stablehlo.dot_general %607, %578, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x12xf32>, tensor<4x12x24xf32>) -> tensor<4x16x24xf32>
    %612 = stablehlo.transpose %611, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %613 = stablehlo.reshape %612 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %614 = stablehlo.dot_general %613, %$layer2.context_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %615 = stablehlo.broadcast_in_dim %$layer2.context_out.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %616 = stablehlo.broadcast_in_dim %615, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %617 = stablehlo.add %614, %616 : tensor<16x96xf32>
    %618 = stablehlo.add %549, %617 : tensor<16x96xf32>
    %cst_131 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %619 = stablehlo.reduce(%618 init: %cst_131) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %620 = stablehlo.broadcast_in_dim %619, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_132 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %621 = stablehlo.broadcast_in_dim %cst_132, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %622 = stablehlo.divide %620, %621 : tensor<16x1xf32>
    %623 = stablehlo.broadcast_in_dim %622, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %624 = stablehlo.subtract %618, %623 : tensor<16x96xf32>
    %625 = stablehlo.multiply %624, %624 : tensor<16x96xf32>
    %cst_133 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %626 = stablehlo.reduce(%625 init: %cst_133) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %627 = stablehlo.broadcast_in_dim %626, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_134 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %628 = stablehlo.broadcast_in_dim %cst_134, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %629 = stablehlo.divide %627, %628 : tensor<16x1xf32>
    %cst_135 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %630 = stablehlo.broadcast_in_dim %cst_135, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %631 = stablehlo.add %629, %630 : tensor<16x1xf32>
    %632 = stablehlo.rsqrt %631 : tensor<16x1xf32>
    %633 = stablehlo.divide %632, %631 : tensor<16x1xf32>
    %cst_136 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %634 = stablehlo.broadcast_in_dim %cst_136, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %635 = stablehlo.multiply %634, %633 : tensor<16x1xf32>
    %636 = stablehlo.broadcast_in_dim %632, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %637 = stablehlo.multiply %624, %636 : tensor<16x96xf32>
    %cst_137 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %638 = stablehlo.broadcast_in_dim %cst_137, dims = [] : (tensor<f32>) -> tensor<96xf32>
    %639 = stablehlo.add %638, %469 : tensor<96xf32>
    %640 = stablehlo.broadcast_in_dim %639, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %641 = stablehlo.broadcast_in_dim %640, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %642 = stablehlo.multiply %637, %641 : tensor<16x96xf32>
    %643 = stablehlo.broadcast_in_dim %467, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %644 = stablehlo.broadcast_in_dim %643, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %645 = stablehlo.add %642, %644 : tensor<16x96xf32>
    %646 = stablehlo.dot_general %645, %$layer2.up.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x192xf32>) -> tensor<16x192xf32>
    %647 = stablehlo.broadcast_in_dim %$layer2.up.b, dims = [1] : (tensor<192xf32>) -> tensor<1x192xf32>
    %648 = stablehlo.broadcast_in_dim %647, dims = [0, 1] : (tensor<1x192xf32>) -> tensor<16x192xf32>
    %649 = stablehlo.add %646, %648 : tensor<16x192xf32>
    %650 = stablehlo.multiply %649, %649 : tensor<16x192xf32>
    %651 = stablehlo.multiply %650, %649 : tensor<16x192xf32>
    %652 = stablehlo.multiply %649, %649 : tensor<16x192xf32>
    %cst_138 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %653 = stablehlo.broadcast_in_dim %cst_138, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %654 = stablehlo.multiply %653, %652 : tensor<16x192xf32>
    %cst_139 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %655 = stablehlo.broadcast_in_dim %cst_139, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %656 = stablehlo.multiply %655, %651 : tensor<16x192xf32>
    %657 = stablehlo.add %649, %656 : tensor<16x192xf32>
    %cst_140 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %658 = stablehlo.broadcast_in_dim %cst_140, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %659 = stablehlo.multiply %658, %657 : tensor<16x192xf32>
    %660 = stablehlo.tanh %659 : tensor<16x192xf32>
    %cst_141 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %661 = stablehlo.broadcast_in_dim %cst_141, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %662 = stablehlo.subtract %661, %660 : tensor<16x192xf32>
    %cst_142 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %663 = stablehlo.broadcast_in_dim %cst_142, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %664 = stablehlo.add %663, %660 : tensor<16x192xf32>
    %cst_143 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %665 = stablehlo.broadcast_in_dim %cst_143, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %666 = stablehlo.multiply %665, %664 : tensor<16x192xf32>
    %667 = stablehlo.multiply %649, %666 : tensor<16x192xf32>
    %668 = stablehlo.dot_general %667, %$layer2.down.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x192xf32>, tensor<192x96xf32>) -> tensor<16x96xf32>
    %669 = stablehlo.broadcast_in_dim %$layer2.down.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %670 = stablehlo.broadcast_in_dim %669, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %671 = stablehlo.add %668, %670 : tensor<16x96xf32>
    %672 = stablehlo.add %618, %671 : tensor<16x96xf32>
    %cst_144 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %673 = stablehlo.reduce(%672 init: %cst_144) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %674 = stablehlo.broadcast_in_dim %673, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_145 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %675 = stablehlo.broadcast_in_dim %cst_145, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %676 = stablehlo.divide %674, %675 : tensor<16x1xf32>
    %677 = stablehlo.broadcast_in_dim %676, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %678 = stablehlo.subtract %672, %677 : tensor<16x96xf32>
    %679 = stablehlo.multiply %678, %678 : tensor<16x96xf32>
    %cst_146 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %680 = stablehlo.reduce(%679 init: %cst_146) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %681 = stablehlo.broadcast_in_dim %680, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_147 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %682 = stablehlo.broadcast_in_dim %cst_147, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %683 = stablehlo.divide %681, %682 : tensor<16x1xf32>
    %cst_148 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %684 = stablehlo.broadcast_in_dim %cst_148, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %685 = stablehlo.add %683, %684 : tensor<16x1xf32>
    %686 = stablehlo.rsqrt %685 : tensor<16x1xf32>
    %687 = stablehlo.divide %686, %685 : tensor<16x1xf32>
    %cst_149 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %688 = stablehlo.broadcast_in_dim %cst_149, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %689 = stablehlo.multiply %688, %687 : tensor<16x1xf32>
    %690 = stablehlo.broadcast_in_dim %686, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %691 = stablehlo.multiply %678, %690 : tensor<16x96xf32>
    %692 = stablehlo.dot_general %691, %$action_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x4xf32>) -> tensor<16x4xf32>
    %693 = stablehlo.broadcast_in_dim %$action_out.b, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %694 = stablehlo.broadcast_in_dim %693, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<16x4xf32>
    %695 = stablehlo.add %692, %694 : tensor<16x4xf32>
    %cst_150 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %696 = stablehlo.subtract %cst_150, %arg2 : tensor<f32>
    %697 = stablehlo.broadcast_in_dim %696, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
    %698 = stablehlo.multiply %697, %695 : tensor<16x4xf32>
    %699 = stablehlo.add %arg1, %698 : tensor<16x4xf32>
    %700 = stablehlo.subtract %arg4, %699 : tensor<16x4xf32>
    %701 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x4xf32>
    %702 = stablehlo.multiply %700, %701 : tensor<16x4xf32>
    %703 = stablehlo.broadcast_in_dim %696, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
    %704 = stablehlo.multiply %703, %702 : tensor<16x4xf32>
    %705 = stablehlo.dot_general %704, %$action_out.w, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x4xf32>, tensor<96x4xf32>) -> tensor<16x96xf32>
    %706 = stablehlo.multiply %678, %705 : tensor<16x96xf32>
    %cst_151 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %707 = stablehlo.reduce(%706 init: %cst_151) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %708 = stablehlo.reshape %707 : (tensor<16xf32>) -> tensor<16x1xf32>
    %709 = stablehlo.broadcast_in_dim %686, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %710 = stablehlo.multiply %705, %709 : tensor<16x96xf32>
    %711 = stablehlo.multiply %708, %689 : tensor<16x1xf32>
    %cst_152 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %712 = stablehlo.broadcast_in_dim %cst_152, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %713 = stablehlo.divide %711, %712 : tensor<16x1xf32>
    %cst_153 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %714 = stablehlo.reduce(%713 init: %cst_153) applies stablehlo.add across dimensions = [1] : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
    %715 = stablehlo.broadcast_in_dim %714, dims = [0] : (tensor<16xf32>) -> tensor<16x96xf32>
    %716 = stablehlo.multiply %678, %715 : tensor<16x96xf32>
    %717 = stablehlo.add %710, %716 : tensor<16x96xf32>
    %718 = stablehlo.multiply %715, %678 : tensor<16x96xf32>
    %719 = stablehlo.add %717, %718 : tensor<16x96xf32>
    %720 = stablehlo.negate %719 : tensor<16x96xf32>
    %cst_154 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %721 = stablehlo.reduce(%720 init: %cst_154) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %722 = stablehlo.reshape %721 : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_155 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %723 = stablehlo.broadcast_in_dim %cst_155, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %724 = stablehlo.divide %722, %723 : tensor<16x1xf32>
    %cst_156 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %725 = stablehlo.reduce(%724 init: %cst_156) applies stablehlo.add across dimensions = [1] : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
    %726 = stablehlo.broadcast_in_dim %725, dims = [0] : (tensor<16xf32>) -> tensor<16x96xf32>
    %727 = stablehlo.add %719, %726 : tensor<16x96xf32>
    %728 = stablehlo.dot_general %727, %$layer2.down.w, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<192x96xf32>) -> tensor<16x192xf32>
    %729 = stablehlo.multiply %649, %728 : tensor<16x192xf32>
    %730 = stablehlo.multiply %728, %666 : tensor<16x192xf32>
    %cst_157 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %731 = stablehlo.broadcast_in_dim %cst_157, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %732 = stablehlo.multiply %731, %729 : tensor<16x192xf32>
    %733 = stablehlo.multiply %732, %662 : tensor<16x192xf32>
    %734 = stablehlo.multiply %733, %660 : tensor<16x192xf32>
    %735 = stablehlo.add %733, %734 : tensor<16x192xf32>
    %cst_158 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %736 = stablehlo.broadcast_in_dim %cst_158, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %737 = stablehlo.multiply %736, %735 : tensor<16x192xf32>
    %738 = stablehlo.add %730, %737 : tensor<16x192xf32>
    %cst_159 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %739 = stablehlo.broadcast_in_dim %cst_159, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %740 = stablehlo.multiply %739, %737 : tensor<16x192xf32>
    %741 = stablehlo.multiply %740, %654 : tensor<16x192xf32>
    %742 = stablehlo.add %738, %741 : tensor<16x192xf32>
    %743 = stablehlo.dot_general %742, %$layer2.up.w, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x192xf32>, tensor<96x192xf32>) -> tensor<16x96xf32>
    %744 = stablehlo.broadcast_in_dim %640, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %745 = stablehlo.multiply %743, %744 : tensor<16x96xf32>
    %746 = stablehlo.multiply %624, %745 : tensor<16x96xf32>
    %cst_160 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %747 = stablehlo.reduce(%746 init: %cst_160) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %748 = stablehlo.reshape %747 : (tensor<16xf32>) -> tensor<16x1xf32>
    %749 = stablehlo.broadcast_in_dim %632, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %750 = stablehlo.multiply %745, %749 : tensor<16x96xf32>
    %751 = stablehlo.multiply %748, %635 : tensor<16x1xf32>
    %cst_161 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %752 = stablehlo.broadcast_in_dim %cst_161, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %753 = stablehlo.divide %751, %752 : tensor<16x1xf32>
    %cst_162 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %754 = stablehlo.reduce(%753 init: %cst_162) applies stablehlo.add across dimensions = [1] : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
    %755 = stablehlo.broadcast_in_dim %754, dims = [0] : (tensor<16xf32>) -> tensor<16x96xf32>
    %756 = stablehlo.multiply %624, %755 : tensor<16x96xf32>
    %757 = stablehlo.add %750, %756 : tensor<16x96xf32>
    %758 = stablehlo.multiply %755, %624 : tensor<16x96xf32>
    %759 = stablehlo.add %757, %758 : tensor<16x96xf32>
    %760 = stablehlo.negate %759 : tensor<16x96xf32>
    %cst_163 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %761 = stablehlo.reduce(%760 init: %cst_163) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %762 = stablehlo.reshape %761 : (tensor<16xf32>) -> tensor<16x1xf32>
    %763 = stablehlo.add %727, %759 : tensor<16x96xf32>
    %cst_164 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %764 = stablehlo.broadcast_in_dim %cst_164, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %765 = stablehlo.divide %762, %764 : tensor<16x1xf32>
    %cst_165 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %766 = stablehlo.reduce(%765 init: %cst_165) applies stablehlo.add across dimensions = [1] : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
    %767 = stablehlo.broadcast_in_dim %766, dims = [0] : (tensor<16xf32>) -> tensor<16x96xf32>
    %768 = stablehlo.add %763, %767 : tensor<16x96xf32>
    %769 = stablehlo.dot_general %768, %$layer2.context_out.w, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %770 = stablehlo.reshape %769 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %771 = stablehlo.transpose %770, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %772 = stablehlo.dot_general %771, %578, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x12x24xf32>) -> tensor<4x16x12xf32>
    %773 = stablehlo.broadcast_in_dim %610, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %774 = stablehlo.multiply %772, %773 : tensor<4x16x12xf32>
    %775 = stablehlo.multiply %774, %603 : tensor<4x16x12xf32>
    %cst_166 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %776 = stablehlo.reduce(%775 init: %cst_166) applies stablehlo.add across dimensions = [2] : (tensor<4x16x12xf32>, tensor<f32>) -> tensor<4x16xf32>
    %777 = stablehlo.reshape %776 : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %778 = stablehlo.negate %777 : tensor<4x16x1xf32>
    %779 = stablehlo.broadcast_in_dim %605, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %780 = stablehlo.divide %772, %779 : tensor<4x16x12xf32>
    %cst_167 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %781 = stablehlo.reduce(%778 init: %cst_167) applies stablehlo.add across dimensions = [2] : (tensor<4x16x1xf32>, tensor<f32>) -> tensor<4x16xf32>
    %782 = stablehlo.broadcast_in_dim %781, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x12xf32>
    %783 = stablehlo.add %780, %782 : tensor<4x16x12xf32>
    %784 = stablehlo.multiply %783, %603 : tensor<4x16x12xf32>
    %cst_168 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %785 = stablehlo.broadcast_in_dim %cst_168, dims = [] : (tensor<f32>) -> tensor<4x16x12xf32>
    %786 = stablehlo.multiply %784, %785 : tensor<4x16x12xf32>
    %787 = stablehlo.dot_general %786, %576, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x16x12xf32>, tensor<4x24x12xf32>) -> tensor<4x16x24xf32>
    %788 = stablehlo.transpose %787, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %789 = stablehlo.reshape %788 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %790 = stablehlo.dot_general %789, %$layer2.query.w, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %791 = stablehlo.multiply %555, %790 : tensor<16x96xf32>
    %cst_169 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %792 = stablehlo.reduce(%791 init: %cst_169) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %793 = stablehlo.reshape %792 : (tensor<16xf32>) -> tensor<16x1xf32>
    %794 = stablehlo.broadcast_in_dim %563, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %795 = stablehlo.multiply %790, %794 : tensor<16x96xf32>
    %796 = stablehlo.multiply %793, %566 : tensor<16x1xf32>
    %cst_170 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %797 = stablehlo.broadcast_in_dim %cst_170, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %798 = stablehlo.divide %796, %797 : tensor<16x1xf32>
    %cst_171 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %799 = stablehlo.reduce(%798 init: %cst_171) applies stablehlo.add across dimensions = [1] : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
    %800 = stablehlo.broadcast_in_dim %799, dims = [0] : (tensor<16xf32>) -> tensor<16x96xf32>
    %801 = stablehlo.multiply %555, %800 : tensor<16x96xf32>
    %802 = stablehlo.add %795, %801 : tensor<16x96xf32>
    %803 = stablehlo.multiply %800, %555 : tensor<16x96xf32>
    %804 = stablehlo.add %802, %803 : tensor<16x96xf32>
    %805 = stablehlo.negate %804 : tensor<16x96xf32>
    %cst_172 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %806 = stablehlo.reduce(%805 init: %cst_172) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %807 = stablehlo.reshape %806 : (tensor<16xf32>) -> tensor<16x1xf32>
    %808 = stablehlo.add %768, %804 : tensor<16x96xf32>
    %cst_173 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %809 = stablehlo.broadcast_in_dim %cst_173, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %810 = stablehlo.divide %807, %809 : tensor<16x1xf32>
    %cst_174 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %811 = stablehlo.reduce(%810 init: %cst_174) applies stablehlo.add across dimensions = [1] : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
    %812 = stablehlo.broadcast_in_dim %811, dims = [0] : (tensor<16xf32>) -> tensor<16x96xf32>
    %813 = stablehlo.add %808, %812 : tensor<16x96xf32>
    %814 = stablehlo.dot_general %813, %$layer2.self_out.w, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %815 = stablehlo.reshape %814 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %816 = stablehlo.transpose %815, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %817 = stablehlo.dot_general %816, %538, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x16x16xf32>) -> tensor<4x24x16xf32>
    %818 = stablehlo.transpose %817, dims = [0, 2, 1] : (tensor<4x24x16xf32>) -> tensor<4x16x24xf32>
    %819 = stablehlo.dot_general %816, %509, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x16x24xf32>) -> tensor<4x16x16xf32>
    %820 = stablehlo.broadcast_in_dim %541, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %821 = stablehlo.multiply %819, %820 : tensor<4x16x16xf32>
    %822 = stablehlo.multiply %821, %534 : tensor<4x16x16xf32>
    %cst_175 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %823 = stablehlo.reduce(%822 init: %cst_175) applies stablehlo.add across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %824 = stablehlo.reshape %823 : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %825 = stablehlo.negate %824 : tensor<4x16x1xf32>
    %826 = stablehlo.broadcast_in_dim %536, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %827 = stablehlo.divide %819, %826 : tensor<4x16x16xf32>
    %cst_176 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %828 = stablehlo.reduce(%825 init: %cst_176) applies stablehlo.add across dimensions = [2] : (tensor<4x16x1xf32>, tensor<f32>) -> tensor<4x16xf32>
    %829 = stablehlo.broadcast_in_dim %828, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x16xf32>
    %830 = stablehlo.add %827, %829 : tensor<4x16x16xf32>
    %831 = stablehlo.multiply %830, %534 : tensor<4x16x16xf32>
    %cst_177 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %832 = stablehlo.broadcast_in_dim %cst_177, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %833 = stablehlo.multiply %831, %832 : tensor<4x16x16xf32>
    %834 = stablehlo.dot_general %833, %505, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x16xf32>, tensor<4x16x24xf32>) -> tensor<4x16x24xf32>
    %835 = stablehlo.transpose %834, dims = [0, 2, 1] : (tensor<4x16x24xf32>) -> tensor<4x24x16xf32>
    %836 = stablehlo.dot_general %833, %507, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x16x16xf32>, tensor<4x24x16xf32>) -> tensor<4x16x24xf32>
    %837 = stablehlo.transpose %818, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %838 = stablehlo.reshape %837 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %839 = stablehlo.transpose %835, dims = [2, 0, 1] : (tensor<4x24x16xf32>) -> tensor<16x4x24xf32>
    %840 = stablehlo.reshape %839 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %841 = stablehlo.transpose %836, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %842 = stablehlo.reshape %841 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %843 = stablehlo.concatenate %842, %840, %838, dim = 1 : (tensor<16x96xf32>, tensor<16x96xf32>, tensor<16x96xf32>) -> tensor<16x288xf32>
    %844 = stablehlo.dot_general %843, %$layer2.self.w, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x288xf32>, tensor<96x288xf32>) -> tensor<16x96xf32>
    %845 = stablehlo.broadcast_in_dim %491, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %846 = stablehlo.multiply %844, %845 : tensor<16x96xf32>
    %847 = stablehlo.multiply %475, %846 : tensor<16x96xf32>
    %cst_178 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %848 = stablehlo.reduce(%847 init: %cst_178) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %849 = stablehlo.reshape %848 : (tensor<16xf32>) -> tensor<16x1xf32>
    %850 = stablehlo.broadcast_in_dim %483, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %851 = stablehlo.multiply %846, %850 : tensor<16x96xf32>
    %852 = stablehlo.multiply %849, %486 : tensor<16x1xf32>
    %cst_179 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %853 = stablehlo.broadcast_in_dim %cst_179, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %854 = stablehlo.divide %852, %853 : tensor<16x1xf32>
    %cst_180 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %855 = stablehlo.reduce(%854 init: %cst_180) applies stablehlo.add across dimensions = [1] : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
    %856 = stablehlo.broadcast_in_dim %855, dims = [0] : (tensor<16xf32>) -> tensor<16x96xf32>
    %857 = stablehlo.multiply %475, %856 : tensor<16x96xf32>
    %858 = stablehlo.add %851, %857 : tensor<16x96xf32>
    %859 = stablehlo.multiply %856, %475 : tensor<16x96xf32>
    %860 = stablehlo.add %858, %859 : tensor<16x96xf32>
    %861 = stablehlo.negate %860 : tensor<16x96xf32>
    %cst_181 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %862 = stablehlo.reduce(%861 init: %cst_181) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %863 = stablehlo.reshape %862 : (tensor<16xf32>) -> tensor<16x1xf32>
    %864 = stablehlo.add %813, %860 : tensor<16x96xf32>
    %cst_182 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %865 = stablehlo.broadcast_in_dim %cst_182, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %866 = stablehlo.divide %863, %865 : tensor<16x1xf32>
    %cst_183 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %867 = stablehlo.reduce(%866 init: %cst_183) applies stablehlo.add across dimensions = [1] : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
    %868 = stablehlo.broadcast_in_dim %867, dims = [0] : (tensor<16xf32>) -> tensor<16x96xf32>
    %869 = stablehlo.add %864, %868 : tensor<16x96xf32>
    %870 = stablehlo.dot_general %869, %$layer1.down.w, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<192x96xf32>) -> tensor<16x192xf32>
    %871 = stablehlo.multiply %431, %870 : tensor<16x192xf32>
    %872 = stablehlo.multiply %870, %448 : tensor<16x192xf32>
    %cst_184 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %873 = stablehlo.broadcast_in_dim %cst_184, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %874 = stablehlo.multiply %873, %871 : tensor<16x192xf32>
    %875 = stablehlo.multiply %874, %444 : tensor<16x192xf32>
    %876 = stablehlo.multiply %875, %442 : tensor<16x192xf32>
    %877 = stablehlo.add %875, %876 : tensor<16x192xf32>
    %cst_185 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %878 = stablehlo.broadcast_in_dim %cst_185, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %879 = stablehlo.multiply %878, %877 : tensor<16x192xf32>
    %880 = stablehlo.add %872, %879 : tensor<16x192xf32>
    %cst_186 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %881 = stablehlo.broadcast_in_dim %cst_186, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %882 = stablehlo.multiply %881, %879 : tensor<16x192xf32>
    %883 = stablehlo.multiply %882, %436 : tensor<16x192xf32>
    %884 = stablehlo.add %880, %883 : tensor<16x192xf32>
    %885 = stablehlo.dot_general %884, %$layer1.up.w, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x192xf32>, tensor<96x192xf32>) -> tensor<16x96xf32>
    %886 = stablehlo.broadcast_in_dim %422, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %887 = stablehlo.multiply %885, %886 : tensor<16x96xf32>
    %888 = stablehlo.multiply %406, %887 : tensor<16x96xf32>
    %cst_187 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %889 = stablehlo.reduce(%888 init: %cst_187) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %890 = stablehlo.reshape %889 : (tensor<16xf32>) -> tensor<16x1xf32>
    %891 = stablehlo.broadcast_in_dim %414, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %892 = stablehlo.multiply %887, %891 : tensor<16x96xf32>
    %893 = stablehlo.multiply %890, %417 : tensor<16x1xf32>
    %cst_188 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %894 = stablehlo.broadcast_in_dim %cst_188, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %895 = stablehlo.divide %893, %894 : tensor<16x1xf32>
    %cst_189 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %896 = stablehlo.reduce(%895 init: %cst_189) applies stablehlo.add across dimensions = [1] : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
    %897 = stablehlo.broadcast_in_dim %896, dims = [0] : (tensor<16xf32>) -> tensor<16x96xf32>
    %898 = stablehlo.multiply %406, %897 : tensor<16x96xf32>
    %899 = stablehlo.add %892, %898 : tensor<16x96xf32>
    %900 = stablehlo.multiply %897, %406 : tensor<16x96xf32>
    %901 = stablehlo.add %899, %900 : tensor<16x96xf32>
    %902 = stablehlo.negate %901 : tensor<16x96xf32>
    %cst_190 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %903 = stablehlo.reduce(%902 init: %cst_190) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %904 = stablehlo.reshape %903 : (tensor<16xf32>) -> tensor<16x1xf32>
    %905 = stablehlo.add %869, %901 : tensor<16x96xf32>
    %cst_191 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %906 = stablehlo.broadcast_in_dim %cst_191, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %907 = stablehlo.divide %904, %906 : tensor<16x1xf32>
    %cst_192 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %908 = stablehlo.reduce(%907 init: %cst_192) applies stablehlo.add across dimensions = [1] : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
    %909 = stablehlo.broadcast_in_dim %908, dims = [0] : (tensor<16xf32>) -> tensor<16x96xf32>
    %910 = stablehlo.add %905, %909 : tensor<16x96xf32>
    %911 = stablehlo.dot_general %910, %$layer1.context_out.w, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %912 = stablehlo.reshape %911 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %913 = stablehlo.transpose %912, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %914 = stablehlo.dot_general %913, %360, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x12x24xf32>) -> tensor<4x16x12xf32>
    %915 = stablehlo.broadcast_in_dim %392, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %916 = stablehlo.multiply %914, %915 : tensor<4x16x12xf32>
    %917 = stablehlo.multiply %916, %385 : tensor<4x16x12xf32>
    %cst_193 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %918 = stablehlo.reduce(%917 init: %cst_193) applies stablehlo.add across dimensions = [2] : (tensor<4x16x12xf32>, tensor<f32>) -> tensor<4x16xf32>
    %919 = stablehlo.reshape %918 : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %920 = stablehlo.negate %919 : tensor<4x16x1xf32>
    %921 = stablehlo.broadcast_in_dim %387, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %922 = stablehlo.divide %914, %921 : tensor<4x16x12xf32>
    %cst_194 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %923 = stablehlo.reduce(%920 init: %cst_194) applies stablehlo.add across dimensions = [2] : (tensor<4x16x1xf32>, tensor<f32>) -> tensor<4x16xf32>
    %924 = stablehlo.broadcast_in_dim %923, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x12xf32>
    %925 = stablehlo.add %922, %924 : tensor<4x16x12xf32>
    %926 = stablehlo.multiply %925, %385 : tensor<4x16x12xf32>
    %cst_195 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %927 = stablehlo.broadcast_in_dim %cst_195, dims = [] : (tensor<f32>) -> tensor<4x16x12xf32>
    %928 = stablehlo.multiply %926, %927 : tensor<4x16x12xf32>
    %929 = stablehlo.dot_general %928, %358, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x16x12xf32>, tensor<4x24x12xf32>) -> tensor<4x16x24xf32>
    %930 = stablehlo.transpose %929, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %931 = stablehlo.reshape %930 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %932 = stablehlo.dot_general %931, %$layer1.query.w, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %933 = stablehlo.multiply %337, %932 : tensor<16x96xf32>
    %cst_196 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %934 = stablehlo.reduce(%933 init: %cst_196) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %935 = stablehlo.reshape %934 : (tensor<16xf32>) -> tensor<16x1xf32>
    %936 = stablehlo.broadcast_in_dim %345, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %937 = stablehlo.multiply %932, %936 : tensor<16x96xf32>
    %938 = stablehlo.multiply %935, %348 : tensor<16x1xf32>
    %cst_197 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %939 = stablehlo.broadcast_in_dim %cst_197, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %940 = stablehlo.divide %938, %939 : tensor<16x1xf32>
    %cst_198 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %941 = stablehlo.reduce(%940 init: %cst_198) applies stablehlo.add across dimensions = [1] : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
    %942 = stablehlo.broadcast_in_dim %941, dims = [0] : (tensor<16xf32>) -> tensor<16x96xf32>
    %943 = stablehlo.multiply %337, %942 : tensor<16x96xf32>
    %944 = stablehlo.add %937, %943 : tensor<16x96xf32>
    %945 = stablehlo.multiply %942, %337 : tensor<16x96xf32>
    %946 = stablehlo.add %944, %945 : tensor<16x96xf32>
    %947 = stablehlo.negate %946 : tensor<16x96xf32>
    %cst_199 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %948 = stablehlo.reduce(%947 init: %cst_199) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %949 = stablehlo.reshape %948 : (tensor<16xf32>) -> tensor<16x1xf32>
    %950 = stablehlo.add %910, %946 : tensor<16x96xf32>
    %cst_200 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %951 = stablehlo.broadcast_in_dim %cst_200, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %952 = stablehlo.divide %949, %951 : tensor<16x1xf32>
    %cst_201 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %953 = stablehlo.reduce(%952 init: %cst_201) applies stablehlo.add across dimensions = [1] : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
    %954 = stablehlo.broadcast_in_dim %953, dims = [0] : (tensor<16xf32>) -> tensor<16x96xf32>
    %955 = stablehlo.add %950, %954 : tensor<16x96xf32>
    %956 = stablehlo.dot_general %955, %$layer1.self_out.w, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %957 = stablehlo.reshape %956 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %958 = stablehlo.transpose %957, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %959 = stablehlo.dot_general %958, %320, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x16x16xf32>) -> tensor<4x24x16xf32>
    %960 = stablehlo.transpose %959, dims = [0, 2, 1] : (tensor<4x24x16xf32>) -> tensor<4x16x24xf32>
    %961 = stablehlo.dot_general %958, %291, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x16x24xf32>) -> tensor<4x16x16xf32>
    %962 = stablehlo.broadcast_in_dim %323, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %963 = stablehlo.multiply %961, %962 : tensor<4x16x16xf32>
    %964 = stablehlo.multiply %963, %316 : tensor<4x16x16xf32>
    %cst_202 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %965 = stablehlo.reduce(%964 init: %cst_202) applies stablehlo.add across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %966 = stablehlo.reshape %965 : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %967 = stablehlo.negate %966 : tensor<4x16x1xf32>
    %968 = stablehlo.broadcast_in_dim %318, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %969 = stablehlo.divide %961, %968 : tensor<4x16x16xf32>
    %cst_203 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %970 = stablehlo.reduce(%967 init: %cst_203) applies stablehlo.add across dimensions = [2] : (tensor<4x16x1xf32>, tensor<f32>) -> tensor<4x16xf32>
    %971 = stablehlo.broadcast_in_dim %970, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x16xf32>
    %972 = stablehlo.add %969, %971 : tensor<4x16x16xf32>
    %973 = stablehlo.multiply %972, %316 : tensor<4x16x16xf32>
    %cst_204 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %974 = stablehlo.broadcast_in_dim %cst_204, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %975 = stablehlo.multiply %973, %974 : tensor<4x16x16xf32>
    %976 = stablehlo.dot_general %975, %287, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x16xf32>, tensor<4x16x24xf32>) -> tensor<4x16x24xf32>
    %977 = stablehlo.transpose %976, dims = [0, 2, 1] : (tensor<4x16x24xf32>) -> tensor<4x24x16xf32>
    %978 = stablehlo.dot_general %975, %289, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x16x16xf32>, tensor<4x24x16xf32>) -> tensor<4x16x24xf32>
    %979 = stablehlo.transpose %960, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %980 = stablehlo.reshape %979 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %981 = stablehlo.transpose %977, dims = [2, 0, 1] : (tensor<4x24x16xf32>) -> tensor<16x4x24xf32>
    %982 = stablehlo.reshape %981 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %983 = stablehlo.transpose %978, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %984 = stablehlo.reshape %983 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %985 = stablehlo.concatenate %984, %982, %980, dim = 1 : (tensor<16x96xf32>, tensor<16x96xf32>, tensor<16x96xf32>) -> tensor<16x288xf32>
    %986 = stablehlo.dot_general %985, %$layer1.self.w, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x288xf32>, tensor<96x288xf32>) -> tensor<16x96xf32>
    %987 = stablehlo.broadcast_in_dim %273, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %988 = stablehlo.multiply %986, %987 : tensor<16x96xf32>
    %989 = stablehlo.multiply %257, %988 : tensor<16x96xf32>
    %cst_205 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %990 = stablehlo.reduce(%989 init: %cst_205) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %991 = stablehlo.reshape %990 : (tensor<16xf32>) -> tensor<16x1xf32>
    %992 = stablehlo.broadcast_in_dim %265, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %993 = stablehlo.multiply %988, %992 : tensor<16x96xf32>
    %994 = stablehlo.multiply %991, %268 : tensor<16x1xf32>
    %cst_206 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %995 = stablehlo.broadcast_in_dim %cst_206, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %996 = stablehlo.divide %994, %995 : tensor<16x1xf32>
    %cst_207 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %997 = stablehlo.reduce(%996 init: %cst_207) applies stablehlo.add across dimensions = [1] : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
    %998 = stablehlo.broadcast_in_dim %997, dims = [0] : (tensor<16xf32>) -> tensor<16x96xf32>
    %999 = stablehlo.multiply %257, %998 : tensor<16x96xf32>
    %1000 = stablehlo.add %993, %999 : tensor<16x96xf32>
    %1001 = stablehlo.multiply %998, %257 : tensor<16x96xf32>
    %1002 = stablehlo.add %1000, %1001 : tensor<16x96xf32>
    %1003 = stablehlo.negate %1002 : tensor<16x96xf32>
    %cst_208 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1004 = stablehlo.reduce(%1003 init: %cst_208) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %1005 = stablehlo.reshape %1004 : (tensor<16xf32>) -> tensor<16x1xf32>
    %1006 = stablehlo.add %955, %1002 : tensor<16x96xf32>
    %cst_209 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %1007 = stablehlo.broadcast_in_dim %cst_209, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %1008 = stablehlo.divide %1005, %1007 : tensor<16x1xf32>
    %cst_210 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1009 = stablehlo.reduce(%1008 init: %cst_210) applies stablehlo.add across dimensions = [1] : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
    %1010 = stablehlo.broadcast_in_dim %1009, dims = [0] : (tensor<16xf32>) -> tensor<16x96xf32>
    %1011 = stablehlo.add %1006, %1010 : tensor<16x96xf32>
    %1012 = stablehlo.dot_general %1011, %$layer0.down.w, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<192x96xf32>) -> tensor<16x192xf32>
    %1013 = stablehlo.multiply %213, %1012 : tensor<16x192xf32>
    %1014 = stablehlo.multiply %1012, %230 : tensor<16x192xf32>
    %cst_211 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1015 = stablehlo.broadcast_in_dim %cst_211, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %1016 = stablehlo.multiply %1015, %1013 : tensor<16x192xf32>
    %1017 = stablehlo.multiply %1016, %226 : tensor<16x192xf32>
    %1018 = stablehlo.multiply %1017, %224 : tensor<16x192xf32>
    %1019 = stablehlo.add %1017, %1018 : tensor<16x192xf32>
    %cst_212 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %1020 = stablehlo.broadcast_in_dim %cst_212, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %1021 = stablehlo.multiply %1020, %1019 : tensor<16x192xf32>
    %1022 = stablehlo.add %1014, %1021 : tensor<16x192xf32>
    %cst_213 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %1023 = stablehlo.broadcast_in_dim %cst_213, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %1024 = stablehlo.multiply %1023, %1021 : tensor<16x192xf32>
    %1025 = stablehlo.multiply %1024, %218 : tensor<16x192xf32>
    %1026 = stablehlo.add %1022, %1025 : tensor<16x192xf32>
    %1027 = stablehlo.dot_general %1026, %$layer0.up.w, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x192xf32>, tensor<96x192xf32>) -> tensor<16x96xf32>
    %1028 = stablehlo.broadcast_in_dim %204, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %1029 = stablehlo.multiply %1027, %1028 : tensor<16x96xf32>
    %1030 = stablehlo.multiply %188, %1029 : tensor<16x96xf32>
    %cst_214 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1031 = stablehlo.reduce(%1030 init: %cst_214) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %1032 = stablehlo.reshape %1031 : (tensor<16xf32>) -> tensor<16x1xf32>
    %1033 = stablehlo.broadcast_in_dim %196, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %1034 = stablehlo.multiply %1029, %1033 : tensor<16x96xf32>
    %1035 = stablehlo.multiply %1032, %199 : tensor<16x1xf32>
    %cst_215 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %1036 = stablehlo.broadcast_in_dim %cst_215, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %1037 = stablehlo.divide %1035, %1036 : tensor<16x1xf32>
    %cst_216 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1038 = stablehlo.reduce(%1037 init: %cst_216) applies stablehlo.add across dimensions = [1] : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
    %1039 = stablehlo.broadcast_in_dim %1038, dims = [0] : (tensor<16xf32>) -> tensor<16x96xf32>
    %1040 = stablehlo.multiply %188, %1039 : tensor<16x96xf32>
    %1041 = stablehlo.add %1034, %1040 : tensor<16x96xf32>
    %1042 = stablehlo.multiply %1039, %188 : tensor<16x96xf32>
    %1043 = stablehlo.add %1041, %1042 : tensor<16x96xf32>
    %1044 = stablehlo.negate %1043 : tensor<16x96xf32>
    %cst_217 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1045 = stablehlo.reduce(%1044 init: %cst_217) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %1046 = stablehlo.reshape %1045 : (tensor<16xf32>) -> tensor<16x1xf32>
    %1047 = stablehlo.add %1011, %1043 : tensor<16x96xf32>
    %cst_218 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %1048 = stablehlo.broadcast_in_dim %cst_218, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %1049 = stablehlo.divide %1046, %1048 : tensor<16x1xf32>
    %cst_219 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1050 = stablehlo.reduce(%1049 init: %cst_219) applies stablehlo.add across dimensions = [1] : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
    %1051 = stablehlo.broadcast_in_dim %1050, dims = [0] : (tensor<16xf32>) -> tensor<16x96xf32>
    %1052 = stablehlo.add %1047, %1051 : tensor<16x96xf32>
    %1053 = stablehlo.dot_general %1052, %$layer0.context_out.w, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %1054 = stablehlo.reshape %1053 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %1055 = stablehlo.transpose %1054, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %1056 = stablehlo.dot_general %1055, %142, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x12x24xf32>) -> tensor<4x16x12xf32>
    %1057 = stablehlo.broadcast_in_dim %174, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %1058 = stablehlo.multiply %1056, %1057 : tensor<4x16x12xf32>
    %1059 = stablehlo.multiply %1058, %167 : tensor<4x16x12xf32>
    %cst_220 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1060 = stablehlo.reduce(%1059 init: %cst_220) applies stablehlo.add across dimensions = [2] : (tensor<4x16x12xf32>, tensor<f32>) -> tensor<4x16xf32>
    %1061 = stablehlo.reshape %1060 : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %1062 = stablehlo.negate %1061 : tensor<4x16x1xf32>
    %1063 = stablehlo.broadcast_in_dim %169, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %1064 = stablehlo.divide %1056, %1063 : tensor<4x16x12xf32>
    %cst_221 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1065 = stablehlo.reduce(%1062 init: %cst_221) applies stablehlo.add across dimensions = [2] : (tensor<4x16x1xf32>, tensor<f32>) -> tensor<4x16xf32>
    %1066 = stablehlo.broadcast_in_dim %1065, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x12xf32>
    %1067 = stablehlo.add %1064, %1066 : tensor<4x16x12xf32>
    %1068 = stablehlo.multiply %1067, %167 : tensor<4x16x12xf32>
    %cst_222 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %1069 = stablehlo.broadcast_in_dim %cst_222, dims = [] : (tensor<f32>) -> tensor<4x16x12xf32>
    %1070 = stablehlo.multiply %1068, %1069 : tensor<4x16x12xf32>
    %1071 = stablehlo.dot_general %1070, %140, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x16x12xf32>, tensor<4x24x12xf32>) -> tensor<4x16x24xf32>
    %1072 = stablehlo.transpose %1071, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %1073 = stablehlo.reshape %1072 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %1074 = stablehlo.dot_general %1073, %$layer0.query.w, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %1075 = stablehlo.multiply %119, %1074 : tensor<16x96xf32>
    %cst_223 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1076 = stablehlo.reduce(%1075 init: %cst_223) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %1077 = stablehlo.reshape %1076 : (tensor<16xf32>) -> tensor<16x1xf32>
    %1078 = stablehlo.broadcast_in_dim %127, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %1079 = stablehlo.multiply %1074, %1078 : tensor<16x96xf32>
    %1080 = stablehlo.multiply %1077, %130 : tensor<16x1xf32>
    %cst_224 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %1081 = stablehlo.broadcast_in_dim %cst_224, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %1082 = stablehlo.divide %1080, %1081 : tensor<16x1xf32>
    %cst_225 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1083 = stablehlo.reduce(%1082 init: %cst_225) applies stablehlo.add across dimensions = [1] : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
    %1084 = stablehlo.broadcast_in_dim %1083, dims = [0] : (tensor<16xf32>) -> tensor<16x96xf32>
    %1085 = stablehlo.multiply %119, %1084 : tensor<16x96xf32>
    %1086 = stablehlo.add %1079, %1085 : tensor<16x96xf32>
    %1087 = stablehlo.multiply %1084, %119 : tensor<16x96xf32>
    %1088 = stablehlo.add %1086, %1087 : tensor<16x96xf32>
    %1089 = stablehlo.negate %1088 : tensor<16x96xf32>
    %cst_226 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1090 = stablehlo.reduce(%1089 init: %cst_226) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %1091 = stablehlo.reshape %1090 : (tensor<16xf32>) -> tensor<16x1xf32>
    %1092 = stablehlo.add %1052, %1088 : tensor<16x96xf32>
    %cst_227 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %1093 = stablehlo.broadcast_in_dim %cst_227, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %1094 = stablehlo.divide %1091, %1093 : tensor<16x1xf32>
    %cst_228 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1095 = stablehlo.reduce(%1094 init: %cst_228) applies stablehlo.add across dimensions = [1] : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
    %1096 = stablehlo.broadcast_in_dim %1095, dims = [0] : (tensor<16xf32>) -> tensor<16x96xf32>
    %1097 = stablehlo.add %1092, %1096 : tensor<16x96xf32>
    %1098 = stablehlo.dot_general %1097, %$layer0.self_out.w, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %1099 = stablehlo.reshape %1098 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %1100 = stablehlo.transpose %1099, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %1101 = stablehlo.dot_general %1100, %102, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x16x16xf32>) -> tensor<4x24x16xf32>
    %1102 = stablehlo.transpose %1101, dims = [0, 2, 1] : (tensor<4x24x16xf32>) -> tensor<4x16x24xf32>
    %1103 = stablehlo.dot_general %1100, %73, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x16x24xf32>) -> tensor<4x16x16xf32>
    %1104 = stablehlo.broadcast_in_dim %105, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %1105 = stablehlo.multiply %1103, %1104 : tensor<4x16x16xf32>
    %1106 = stablehlo.multiply %1105, %98 : tensor<4x16x16xf32>
    %cst_229 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1107 = stablehlo.reduce(%1106 init: %cst_229) applies stablehlo.add across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %1108 = stablehlo.reshape %1107 : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %1109 = stablehlo.negate %1108 : tensor<4x16x1xf32>
    %1110 = stablehlo.broadcast_in_dim %100, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %1111 = stablehlo.divide %1103, %1110 : tensor<4x16x16xf32>
    %cst_230 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1112 = stablehlo.reduce(%1109 init: %cst_230) applies stablehlo.add across dimensions = [2] : (tensor<4x16x1xf32>, tensor<f32>) -> tensor<4x16xf32>
    %1113 = stablehlo.broadcast_in_dim %1112, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x16xf32>
    %1114 = stablehlo.add %1111, %1113 : tensor<4x16x16xf32>
    %1115 = stablehlo.multiply %1114, %98 : tensor<4x16x16xf32>
    %cst_231 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %1116 = stablehlo.broadcast_in_dim %cst_231, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %1117 = stablehlo.multiply %1115, %1116 : tensor<4x16x16xf32>
    %1118 = stablehlo.dot_general %1117, %69, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x16xf32>, tensor<4x16x24xf32>) -> tensor<4x16x24xf32>
    %1119 = stablehlo.transpose %1118, dims = [0, 2, 1] : (tensor<4x16x24xf32>) -> tensor<4x24x16xf32>
    %1120 = stablehlo.dot_general %1117, %71, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x16x16xf32>, tensor<4x24x16xf32>) -> tensor<4x16x24xf32>
    %1121 = stablehlo.transpose %1102, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %1122 = stablehlo.reshape %1121 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %1123 = stablehlo.transpose %1119, dims = [2, 0, 1] : (tensor<4x24x16xf32>) -> tensor<16x4x24xf32>
    %1124 = stablehlo.reshape %1123 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %1125 = stablehlo.transpose %1120, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %1126 = stablehlo.reshape %1125 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %1127 = stablehlo.concatenate %1126, %1124, %1122, dim = 1 : (tensor<16x96xf32>, tensor<16x96xf32>, tensor<16x96xf32>) -> tensor<16x288xf32>
    %1128 = stablehlo.dot_general %1127, %$layer0.self.w, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x288xf32>, tensor<96x288xf32>) -> tensor<16x96xf32>
    %1129 = stablehlo.broadcast_in_dim %55, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %1130 = stablehlo.multiply %1128, %1129 : tensor<16x96xf32>
    %1131 = stablehlo.multiply %39, %1130 : tensor<16x96xf32>
    %cst_232 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1132 = stablehlo.reduce(%1131 init: %cst_232) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %1133 = stablehlo.reshape %1132 : (tensor<16xf32>) -> tensor<16x1xf32>
    %1134 = stablehlo.broadcast_in_dim %47, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %1135 = stablehlo.multiply %1130, %1134 : tensor<16x96xf32>
    %1136 = stablehlo.multiply %1133, %50 : tensor<16x1xf32>
    %cst_233 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %1137 = stablehlo.broadcast_in_dim %cst_233, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %1138 = stablehlo.divide %1136, %1137 : tensor<16x1xf32>
    %cst_234 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1139 = stablehlo.reduce(%1138 init: %cst_234) applies stablehlo.add across dimensions = [1] : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
    %1140 = stablehlo.broadcast_in_dim %1139, dims = [0] : (tensor<16xf32>) -> tensor<16x96xf32>
    %1141 = stablehlo.multiply %39, %1140 : tensor<16x96xf32>
    %1142 = stablehlo.add %1135, %1141 : tensor<16x96xf32>
    %1143 = stablehlo.multiply %1140, %39 : tensor<16x96xf32>
    %1144 = stablehlo.add %1142, %1143 : tensor<16x96xf32>
    %1145 = stablehlo.negate %1144 : tensor<16x96xf32>
    %cst_235 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1146 = stablehlo.reduce(%1145 init: %cst_235) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %1147 = stablehlo.reshape %1146 : (tensor<16xf32>) -> tensor<16x1xf32>
    %1148 = stablehlo.add %1097, %1144 : tensor<16x96xf32>
    %cst_236 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %1149 = stablehlo.broadcast_in_dim %cst_236, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %1150 = stablehlo.divide %1147, %1149 : tensor<16x1xf32>
    %cst_237 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1151 = stablehlo.reduce(%1150 init: %cst_237) applies stablehlo.add across dimensions = [1] : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
    %1152 = stablehlo.broadcast_in_dim %1151, dims = [0] : (tensor<16xf32>) -> tensor<16x96xf32>
    %1153 = stablehlo.add %1148, %1152 : tensor<16x96xf32>
    %1154 = stablehlo.dot_general %1153, %$action_in.w, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<4x96xf32>) -> tensor<16x4xf32>
    %1155 = stablehlo.add %702, %1154 : tensor<16x4xf32>
    %1156 = stablehlo.multiply %arg2, %arg2 : tensor<f32>
    %cst_238 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1157 = stablehlo.subtract %cst_238, %arg2 : tensor<f32>
    %1158 = stablehlo.multiply %1157, %1157 : tensor<f32>
    %1159 = stablehlo.add %1156, %1158 : tensor<f32>
    %cst_239 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1160 = stablehlo.subtract %cst_239, %arg2 : tensor<f32>
    %1161 = stablehlo.multiply %arg2, %1160 : tensor<f32>
    %cst_240 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %1162 = stablehlo.maximum %1161, %cst_240 : tensor<f32>
    %1163 = stablehlo.divide %1159, %1162 : tensor<f32>
    %1164 = stablehlo.minimum %arg6, %1163 : tensor<f32>
    %1165 = stablehlo.broadcast_in_dim %1164, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
    %1166 = stablehlo.multiply %1165, %1155 : tensor<16x4xf32>
    %1167 = stablehlo.add %695, %1166 : tensor<16x4xf32>
    %1168 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
    %1169 = stablehlo.multiply %1168, %1167 : tensor<16x4xf32>
    %1170 = stablehlo.add %arg1, %1169 : tensor<16x4xf32>
    %1171 = stablehlo.add %arg2, %arg3 : tensor<f32>
    return %1170, %1171 : tensor<16x4xf32>, tensor<f32>
  }
  func.func private @step_vjp$silu(%arg0: tensor<96xf32>) -> tensor<96xf32> {
    %0 = stablehlo.negate %arg0 : tensor<96xf32>
    %1 = stablehlo.exponential %0 : tensor<96xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<96xf32>
    %3 = stablehlo.add %2, %1 : tensor<96xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<96xf32>
    %5 = stablehlo.divide %4, %3 : tensor<96xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<96xf32>
    return %6 : tensor<96xf32>
  }
  func.func public @step_trained(%arg0: tensor<3x28x96xf32>, %arg1: tensor<16x4xf32>, %arg2: tensor<f32>, %arg3: tensor<f32>, %arg4: tensor<16x4xf32>, %arg5: tensor<16xf32>, %arg6: tensor<f32>, %arg7: tensor<16x4xf32> {iree.abi.output = 0 : index}, %arg8: tensor<f32> {iree.abi.output = 1 : index}, %arg9: !hal.buffer {iree.abi.transients}) -> (tensor<16x4xf32>, tensor<f32>) attributes {iree.reflection = {polyrhythm.inputs = "cond,x,t,dt,target,weights,beta", polyrhythm.outputs = "x,t"}} {
    %0:7 = util.optimization_barrier %arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6 : tensor<3x28x96xf32>, tensor<16x4xf32>, tensor<f32>, tensor<f32>, tensor<16x4xf32>, tensor<16xf32>, tensor<f32>
    %$action_in.b = util.global.load @"$action_in.b" : tensor<96xf32>
    %$action_in.w = util.global.load @"$action_in.w" : tensor<4x96xf32>
    %$action_out.b = util.global.load @"$action_out.b" : tensor<4xf32>
    %$action_out.w = util.global.load @"$action_out.w" : tensor<96x4xf32>
    %$clock0.b = util.global.load @"$clock0.b" : tensor<96xf32>
    %$clock0.w = util.global.load @"$clock0.w" : tensor<64x96xf32>
    %$clock1.b = util.global.load @"$clock1.b" : tensor<384xf32>
    %$clock1.w = util.global.load @"$clock1.w" : tensor<96x384xf32>
    %$layer0.context_out.b = util.global.load @"$layer0.context_out.b" : tensor<96xf32>
    %$layer0.context_out.w = util.global.load @"$layer0.context_out.w" : tensor<96x96xf32>
    %$layer0.down.b = util.global.load @"$layer0.down.b" : tensor<96xf32>
    %$layer0.down.w = util.global.load @"$layer0.down.w" : tensor<192x96xf32>
    %$layer0.query.b = util.global.load @"$layer0.query.b" : tensor<96xf32>
    %$layer0.query.w = util.global.load @"$layer0.query.w" : tensor<96x96xf32>
    %$layer0.self.b = util.global.load @"$layer0.self.b" : tensor<288xf32>
    %$layer0.self.w = util.global.load @"$layer0.self.w" : tensor<96x288xf32>
    %$layer0.self_out.b = util.global.load @"$layer0.self_out.b" : tensor<96xf32>
    %$layer0.self_out.w = util.global.load @"$layer0.self_out.w" : tensor<96x96xf32>
    %$layer0.up.b = util.global.load @"$layer0.up.b" : tensor<192xf32>
    %$layer0.up.w = util.global.load @"$layer0.up.w" : tensor<96x192xf32>
    %$layer1.context_out.b = util.global.load @"$layer1.context_out.b" : tensor<96xf32>
    %$layer1.context_out.w = util.global.load @"$layer1.context_out.w" : tensor<96x96xf32>
    %$layer1.down.b = util.global.load @"$layer1.down.b" : tensor<96xf32>
    %$layer1.down.w = util.global.load @"$layer1.down.w" : tensor<192x96xf32>
    %$layer1.query.b = util.global.load @"$layer1.query.b" : tensor<96xf32>
    %$layer1.query.w = util.global.load @"$layer1.query.w" : tensor<96x96xf32>
    %$layer1.self.b = util.global.load @"$layer1.self.b" : tensor<288xf32>
    %$layer1.self.w = util.global.load @"$layer1.self.w" : tensor<96x288xf32>
    %$layer1.self_out.b = util.global.load @"$layer1.self_out.b" : tensor<96xf32>
    %$layer1.self_out.w = util.global.load @"$layer1.self_out.w" : tensor<96x96xf32>
    %$layer1.up.b = util.global.load @"$layer1.up.b" : tensor<192xf32>
    %$layer1.up.w = util.global.load @"$layer1.up.w" : tensor<96x192xf32>
    %$layer2.context_out.b = util.global.load @"$layer2.context_out.b" : tensor<96xf32>
    %$layer2.context_out.w = util.global.load @"$layer2.context_out.w" : tensor<96x96xf32>
    %$layer2.down.b = util.global.load @"$layer2.down.b" : tensor<96xf32>
    %$layer2.down.w = util.global.load @"$layer2.down.w" : tensor<192x96xf32>
    %$layer2.query.b = util.global.load @"$layer2.query.b" : tensor<96xf32>
    %$layer2.query.w = util.global.load @"$layer2.query.w" : tensor<96x96xf32>
    %$layer2.self.b = util.global.load @"$layer2.self.b" : tensor<288xf32>
    %$layer2.self.w = util.global.load @"$layer2.self.w" : tensor<96x288xf32>
    %$layer2.self_out.b = util.global.load @"$layer2.self_out.b" : tensor<96xf32>
    %$layer2.self_out.w = util.global.load @"$layer2.self_out.w" : tensor<96x96xf32>
    %$layer2.up.b = util.global.load @"$layer2.up.b" : tensor<192xf32>
    %$layer2.up.w = util.global.load @"$layer2.up.w" : tensor<96x192xf32>
    %$tick_position = util.global.load @"$tick_position" : tensor<16x96xf32>
    %cst = stablehlo.constant dense<[1.000000e+00, 1.1601553, 1.34596038, 1.56152296, 1.81160915, 2.10174799, 2.43835402, 2.82886934, 3.28192782, 3.80754614, 4.41734457, 5.12480593, 5.94557094, 6.89778519, 8.00250244, 9.28414535, 10.7710505, 12.4960918, 14.497407, 16.8192425, 19.5129337, 22.6380348, 26.2636356, 30.4698963, 35.3498116, 41.0112724, 47.5794449, 55.199543, 64.040039, 74.2963943, 86.1953582, 1.000000e+02]> : tensor<32xf32>
    %1 = stablehlo.broadcast_in_dim %arg5, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %3 = stablehlo.compare GE, %1, %2, FLOAT : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xi1>
    %4 = call @step_trained$_where(%3, %arg4, %arg1) : (tensor<16x1xi1>, tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %5 = stablehlo.reshape %3 : (tensor<16x1xi1>) -> tensor<16xi1>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = call @step_trained$_where_0(%5, %cst_1, %arg2) : (tensor<16xi1>, tensor<f32>, tensor<f32>) -> tensor<16xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x32xf32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<16x32xf32>
    %11 = stablehlo.multiply %9, %10 : tensor<16x32xf32>
    %12 = stablehlo.cosine %11 : tensor<16x32xf32>
    %13 = stablehlo.sine %11 : tensor<16x32xf32>
    %14 = stablehlo.concatenate %12, %13, dim = 1 : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x64xf32>
    %15 = stablehlo.dot_general %14, %$clock0.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x64xf32>, tensor<64x96xf32>) -> tensor<16x96xf32>
    %16 = stablehlo.broadcast_in_dim %$clock0.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %18 = stablehlo.add %15, %17 : tensor<16x96xf32>
    %19 = call @step_trained$silu(%18) : (tensor<16x96xf32>) -> tensor<16x96xf32>
    %20 = stablehlo.dot_general %19, %$clock1.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x384xf32>) -> tensor<16x384xf32>
    %21 = stablehlo.broadcast_in_dim %$clock1.b, dims = [1] : (tensor<384xf32>) -> tensor<1x384xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1] : (tensor<1x384xf32>) -> tensor<16x384xf32>
    %23 = stablehlo.add %20, %22 : tensor<16x384xf32>
    %24 = stablehlo.reshape %23 : (tensor<16x384xf32>) -> tensor<16x4x96xf32>
    %25 = stablehlo.dot_general %4, %$action_in.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x4xf32>, tensor<4x96xf32>) -> tensor<16x96xf32>
    %26 = stablehlo.broadcast_in_dim %$action_in.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %28 = stablehlo.add %25, %27 : tensor<16x96xf32>
    %29 = stablehlo.add %28, %$tick_position : tensor<16x96xf32>
    %30 = stablehlo.slice %arg0 [0:1, 0:12, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x12x96xf32>
    %31 = stablehlo.reshape %30 : (tensor<1x12x96xf32>) -> tensor<12x96xf32>
    %32 = stablehlo.slice %arg0 [0:1, 12:24, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x12x96xf32>
    %33 = stablehlo.reshape %32 : (tensor<1x12x96xf32>) -> tensor<12x96xf32>
    %34 = stablehlo.slice %arg0 [0:1, 24:28, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x4x96xf32>
    %35 = stablehlo.reshape %34 : (tensor<1x4x96xf32>) -> tensor<4x96xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [1, 2] : (tensor<4x96xf32>) -> tensor<1x4x96xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2] : (tensor<1x4x96xf32>) -> tensor<16x4x96xf32>
    %38 = stablehlo.add %37, %24 : tensor<16x4x96xf32>
    %39 = stablehlo.transpose %38, dims = [1, 0, 2] : (tensor<16x4x96xf32>) -> tensor<4x16x96xf32>
    %40 = stablehlo.slice %39 [0:1, 0:16, 0:96] : (tensor<4x16x96xf32>) -> tensor<1x16x96xf32>
    %41 = stablehlo.reshape %40 : (tensor<1x16x96xf32>) -> tensor<16x96xf32>
    %42 = stablehlo.slice %39 [1:2, 0:16, 0:96] : (tensor<4x16x96xf32>) -> tensor<1x16x96xf32>
    %43 = stablehlo.reshape %42 : (tensor<1x16x96xf32>) -> tensor<16x96xf32>
    %44 = stablehlo.slice %39 [2:3, 0:16, 0:96] : (tensor<4x16x96xf32>) -> tensor<1x16x96xf32>
    %45 = stablehlo.reshape %44 : (tensor<1x16x96xf32>) -> tensor<16x96xf32>
    %46 = stablehlo.slice %39 [3:4, 0:16, 0:96] : (tensor<4x16x96xf32>) -> tensor<1x16x96xf32>
    %47 = stablehlo.reshape %46 : (tensor<1x16x96xf32>) -> tensor<16x96xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.reduce(%29 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_3 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %51 = stablehlo.divide %49, %50 : tensor<16x1xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %53 = stablehlo.subtract %29, %52 : tensor<16x96xf32>
    %54 = stablehlo.multiply %53, %53 : tensor<16x96xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %55 = stablehlo.reduce(%54 init: %cst_4) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_5 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %58 = stablehlo.divide %56, %57 : tensor<16x1xf32>
    %cst_6 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %60 = stablehlo.add %58, %59 : tensor<16x1xf32>
    %61 = stablehlo.rsqrt %60 : tensor<16x1xf32>
    %62 = stablehlo.broadcast_in_dim %61, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %63 = stablehlo.multiply %53, %62 : tensor<16x96xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<16x96xf32>
    %65 = stablehlo.add %64, %43 : tensor<16x96xf32>
    %66 = stablehlo.multiply %63, %65 : tensor<16x96xf32>
    %67 = stablehlo.add %66, %41 : tensor<16x96xf32>
    %68 = stablehlo.dot_general %67, %$layer0.self.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x288xf32>) -> tensor<16x288xf32>
    %69 = stablehlo.broadcast_in_dim %$layer0.self.b, dims = [1] : (tensor<288xf32>) -> tensor<1x288xf32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [0, 1] : (tensor<1x288xf32>) -> tensor<16x288xf32>
    %71 = stablehlo.add %68, %70 : tensor<16x288xf32>
    %72 = stablehlo.slice %71 [0:16, 0:96] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %73 = stablehlo.slice %71 [0:16, 96:192] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %74 = stablehlo.slice %71 [0:16, 192:288] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %75 = stablehlo.reshape %72 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %76 = stablehlo.transpose %75, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %77 = stablehlo.reshape %73 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %78 = stablehlo.transpose %77, dims = [1, 2, 0] : (tensor<16x4x24xf32>) -> tensor<4x24x16xf32>
    %79 = stablehlo.reshape %74 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %80 = stablehlo.transpose %79, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %81 = stablehlo.dot_general %76, %78, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x24x16xf32>) -> tensor<4x16x16xf32>
    %cst_8 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %83 = stablehlo.multiply %81, %82 : tensor<4x16x16xf32>
    %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %84 = stablehlo.reduce(%83 init: %cst_9) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %cst_10 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %86 = stablehlo.maximum %85, %84 : tensor<4x16xf32>
    %87 = stablehlo.broadcast_in_dim %86, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %88 = stablehlo.broadcast_in_dim %87, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %89 = stablehlo.subtract %83, %88 : tensor<4x16x16xf32>
    %90 = stablehlo.exponential %89 : tensor<4x16x16xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %91 = stablehlo.reduce(%90 init: %cst_11) applies stablehlo.add across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %92 = stablehlo.broadcast_in_dim %91, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %93 = stablehlo.broadcast_in_dim %92, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %94 = stablehlo.divide %90, %93 : tensor<4x16x16xf32>
    %95 = stablehlo.dot_general %94, %80, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x16xf32>, tensor<4x16x24xf32>) -> tensor<4x16x24xf32>
    %96 = stablehlo.transpose %95, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %97 = stablehlo.reshape %96 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %98 = stablehlo.dot_general %97, %$layer0.self_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %99 = stablehlo.broadcast_in_dim %$layer0.self_out.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %100 = stablehlo.broadcast_in_dim %99, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %101 = stablehlo.add %98, %100 : tensor<16x96xf32>
    %102 = stablehlo.add %29, %101 : tensor<16x96xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %103 = stablehlo.reduce(%102 init: %cst_12) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %104 = stablehlo.broadcast_in_dim %103, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_13 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %106 = stablehlo.divide %104, %105 : tensor<16x1xf32>
    %107 = stablehlo.broadcast_in_dim %106, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %108 = stablehlo.subtract %102, %107 : tensor<16x96xf32>
    %109 = stablehlo.multiply %108, %108 : tensor<16x96xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %110 = stablehlo.reduce(%109 init: %cst_14) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %111 = stablehlo.broadcast_in_dim %110, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_15 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %113 = stablehlo.divide %111, %112 : tensor<16x1xf32>
    %cst_16 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %114 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %115 = stablehlo.add %113, %114 : tensor<16x1xf32>
    %116 = stablehlo.rsqrt %115 : tensor<16x1xf32>
    %117 = stablehlo.broadcast_in_dim %116, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %118 = stablehlo.multiply %108, %117 : tensor<16x96xf32>
    %119 = stablehlo.dot_general %118, %$layer0.query.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %120 = stablehlo.broadcast_in_dim %$layer0.query.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %121 = stablehlo.broadcast_in_dim %120, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %122 = stablehlo.add %119, %121 : tensor<16x96xf32>
    %123 = stablehlo.reshape %122 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %124 = stablehlo.transpose %123, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %125 = stablehlo.reshape %31 : (tensor<12x96xf32>) -> tensor<12x4x24xf32>
    %126 = stablehlo.transpose %125, dims = [1, 2, 0] : (tensor<12x4x24xf32>) -> tensor<4x24x12xf32>
    %127 = stablehlo.reshape %33 : (tensor<12x96xf32>) -> tensor<12x4x24xf32>
    %128 = stablehlo.transpose %127, dims = [1, 0, 2] : (tensor<12x4x24xf32>) -> tensor<4x12x24xf32>
    %129 = stablehlo.dot_general %124, %126, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x24x12xf32>) -> tensor<4x16x12xf32>
    %cst_17 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %130 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x16x12xf32>
    %131 = stablehlo.multiply %129, %130 : tensor<4x16x12xf32>
    %cst_18 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %132 = stablehlo.reduce(%131 init: %cst_18) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x12xf32>, tensor<f32>) -> tensor<4x16xf32>
    %cst_19 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %133 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %134 = stablehlo.maximum %133, %132 : tensor<4x16xf32>
    %135 = stablehlo.broadcast_in_dim %134, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %136 = stablehlo.broadcast_in_dim %135, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %137 = stablehlo.subtract %131, %136 : tensor<4x16x12xf32>
    %138 = stablehlo.exponential %137 : tensor<4x16x12xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %139 = stablehlo.reduce(%138 init: %cst_20) applies stablehlo.add across dimensions = [2] : (tensor<4x16x12xf32>, tensor<f32>) -> tensor<4x16xf32>
    %140 = stablehlo.broadcast_in_dim %139, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %141 = stablehlo.broadcast_in_dim %140, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %142 = stablehlo.divide %138, %141 : tensor<4x16x12xf32>
    %143 = stablehlo.dot_general %142, %128, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x12xf32>, tensor<4x12x24xf32>) -> tensor<4x16x24xf32>
    %144 = stablehlo.transpose %143, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %145 = stablehlo.reshape %144 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %146 = stablehlo.dot_general %145, %$layer0.context_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %147 = stablehlo.broadcast_in_dim %$layer0.context_out.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %148 = stablehlo.broadcast_in_dim %147, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %149 = stablehlo.add %146, %148 : tensor<16x96xf32>
    %150 = stablehlo.add %102, %149 : tensor<16x96xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %151 = stablehlo.reduce(%150 init: %cst_21) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %152 = stablehlo.broadcast_in_dim %151, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_22 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %153 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %154 = stablehlo.divide %152, %153 : tensor<16x1xf32>
    %155 = stablehlo.broadcast_in_dim %154, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %156 = stablehlo.subtract %150, %155 : tensor<16x96xf32>
    %157 = stablehlo.multiply %156, %156 : tensor<16x96xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %158 = stablehlo.reduce(%157 init: %cst_23) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %159 = stablehlo.broadcast_in_dim %158, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_24 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %160 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %161 = stablehlo.divide %159, %160 : tensor<16x1xf32>
    %cst_25 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %162 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %163 = stablehlo.add %161, %162 : tensor<16x1xf32>
    %164 = stablehlo.rsqrt %163 : tensor<16x1xf32>
    %165 = stablehlo.broadcast_in_dim %164, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %166 = stablehlo.multiply %156, %165 : tensor<16x96xf32>
    %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %167 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<16x96xf32>
    %168 = stablehlo.add %167, %47 : tensor<16x96xf32>
    %169 = stablehlo.multiply %166, %168 : tensor<16x96xf32>
    %170 = stablehlo.add %169, %45 : tensor<16x96xf32>
    %171 = stablehlo.dot_general %170, %$layer0.up.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x192xf32>) -> tensor<16x192xf32>
    %172 = stablehlo.broadcast_in_dim %$layer0.up.b, dims = [1] : (tensor<192xf32>) -> tensor<1x192xf32>
    %173 = stablehlo.broadcast_in_dim %172, dims = [0, 1] : (tensor<1x192xf32>) -> tensor<16x192xf32>
    %174 = stablehlo.add %171, %173 : tensor<16x192xf32>
    %175 = stablehlo.multiply %174, %174 : tensor<16x192xf32>
    %176 = stablehlo.multiply %175, %174 : tensor<16x192xf32>
    %cst_27 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %177 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %178 = stablehlo.multiply %177, %176 : tensor<16x192xf32>
    %179 = stablehlo.add %174, %178 : tensor<16x192xf32>
    %cst_28 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %180 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %181 = stablehlo.multiply %180, %179 : tensor<16x192xf32>
    %182 = stablehlo.tanh %181 : tensor<16x192xf32>
    %cst_29 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %183 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %184 = stablehlo.add %183, %182 : tensor<16x192xf32>
    %cst_30 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %185 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %186 = stablehlo.multiply %185, %184 : tensor<16x192xf32>
    %187 = stablehlo.multiply %174, %186 : tensor<16x192xf32>
    %188 = stablehlo.dot_general %187, %$layer0.down.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x192xf32>, tensor<192x96xf32>) -> tensor<16x96xf32>
    %189 = stablehlo.broadcast_in_dim %$layer0.down.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %190 = stablehlo.broadcast_in_dim %189, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %191 = stablehlo.add %188, %190 : tensor<16x96xf32>
    %192 = stablehlo.add %150, %191 : tensor<16x96xf32>
    %193 = stablehlo.slice %arg0 [1:2, 0:12, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x12x96xf32>
    %194 = stablehlo.reshape %193 : (tensor<1x12x96xf32>) -> tensor<12x96xf32>
    %195 = stablehlo.slice %arg0 [1:2, 12:24, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x12x96xf32>
    %196 = stablehlo.reshape %195 : (tensor<1x12x96xf32>) -> tensor<12x96xf32>
    %197 = stablehlo.slice %arg0 [1:2, 24:28, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x4x96xf32>
    %198 = stablehlo.reshape %197 : (tensor<1x4x96xf32>) -> tensor<4x96xf32>
    %199 = stablehlo.broadcast_in_dim %198, dims = [1, 2] : (tensor<4x96xf32>) -> tensor<1x4x96xf32>
    %200 = stablehlo.broadcast_in_dim %199, dims = [0, 1, 2] : (tensor<1x4x96xf32>) -> tensor<16x4x96xf32>
    %201 = stablehlo.add %200, %24 : tensor<16x4x96xf32>
    %202 = stablehlo.transpose %201, dims = [1, 0, 2] : (tensor<16x4x96xf32>) -> tensor<4x16x96xf32>
    %203 = stablehlo.slice %202 [0:1, 0:16, 0:96] : (tensor<4x16x96xf32>) -> tensor<1x16x96xf32>
    %204 = stablehlo.reshape %203 : (tensor<1x16x96xf32>) -> tensor<16x96xf32>
    %205 = stablehlo.slice %202 [1:2, 0:16, 0:96] : (tensor<4x16x96xf32>) -> tensor<1x16x96xf32>
    %206 = stablehlo.reshape %205 : (tensor<1x16x96xf32>) -> tensor<16x96xf32>
    %207 = stablehlo.slice %202 [2:3, 0:16, 0:96] : (tensor<4x16x96xf32>) -> tensor<1x16x96xf32>
    %208 = stablehlo.reshape %207 : (tensor<1x16x96xf32>) -> tensor<16x96xf32>
    %209 = stablehlo.slice %202 [3:4, 0:16, 0:96] : (tensor<4x16x96xf32>) -> tensor<1x16x96xf32>
    %210 = stablehlo.reshape %209 : (tensor<1x16x96xf32>) -> tensor<16x96xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %211 = stablehlo.reduce(%192 init: %cst_31) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %212 = stablehlo.broadcast_in_dim %211, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_32 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %213 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %214 = stablehlo.divide %212, %213 : tensor<16x1xf32>
    %215 = stablehlo.broadcast_in_dim %214, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %216 = stablehlo.subtract %192, %215 : tensor<16x96xf32>
    %217 = stablehlo.multiply %216, %216 : tensor<16x96xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %218 = stablehlo.reduce(%217 init: %cst_33) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %219 = stablehlo.broadcast_in_dim %218, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_34 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %220 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %221 = stablehlo.divide %219, %220 : tensor<16x1xf32>
    %cst_35 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %222 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %223 = stablehlo.add %221, %222 : tensor<16x1xf32>
    %224 = stablehlo.rsqrt %223 : tensor<16x1xf32>
    %225 = stablehlo.broadcast_in_dim %224, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %226 = stablehlo.multiply %216, %225 : tensor<16x96xf32>
    %cst_36 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %227 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<16x96xf32>
    %228 = stablehlo.add %227, %206 : tensor<16x96xf32>
    %229 = stablehlo.multiply %226, %228 : tensor<16x96xf32>
    %230 = stablehlo.add %229, %204 : tensor<16x96xf32>
    %231 = stablehlo.dot_general %230, %$layer1.self.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x288xf32>) -> tensor<16x288xf32>
    %232 = stablehlo.broadcast_in_dim %$layer1.self.b, dims = [1] : (tensor<288xf32>) -> tensor<1x288xf32>
    %233 = stablehlo.broadcast_in_dim %232, dims = [0, 1] : (tensor<1x288xf32>) -> tensor<16x288xf32>
    %234 = stablehlo.add %231, %233 : tensor<16x288xf32>
    %235 = stablehlo.slice %234 [0:16, 0:96] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %236 = stablehlo.slice %234 [0:16, 96:192] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %237 = stablehlo.slice %234 [0:16, 192:288] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %238 = stablehlo.reshape %235 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %239 = stablehlo.transpose %238, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %240 = stablehlo.reshape %236 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %241 = stablehlo.transpose %240, dims = [1, 2, 0] : (tensor<16x4x24xf32>) -> tensor<4x24x16xf32>
    %242 = stablehlo.reshape %237 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %243 = stablehlo.transpose %242, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %244 = stablehlo.dot_general %239, %241, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x24x16xf32>) -> tensor<4x16x16xf32>
    %cst_37 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %245 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %246 = stablehlo.multiply %244, %245 : tensor<4x16x16xf32>
    %cst_38 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %247 = stablehlo.reduce(%246 init: %cst_38) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %cst_39 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %248 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %249 = stablehlo.maximum %248, %247 : tensor<4x16xf32>
    %250 = stablehlo.broadcast_in_dim %249, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %251 = stablehlo.broadcast_in_dim %250, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %252 = stablehlo.subtract %246, %251 : tensor<4x16x16xf32>
    %253 = stablehlo.exponential %252 : tensor<4x16x16xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %254 = stablehlo.reduce(%253 init: %cst_40) applies stablehlo.add across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %255 = stablehlo.broadcast_in_dim %254, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %256 = stablehlo.broadcast_in_dim %255, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %257 = stablehlo.divide %253, %256 : tensor<4x16x16xf32>
    %258 = stablehlo.dot_general %257, %243, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x16xf32>, tensor<4x16x24xf32>) -> tensor<4x16x24xf32>
    %259 = stablehlo.transpose %258, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %260 = stablehlo.reshape %259 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %261 = stablehlo.dot_general %260, %$layer1.self_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %262 = stablehlo.broadcast_in_dim %$layer1.self_out.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %263 = stablehlo.broadcast_in_dim %262, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %264 = stablehlo.add %261, %263 : tensor<16x96xf32>
    %265 = stablehlo.add %192, %264 : tensor<16x96xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %266 = stablehlo.reduce(%265 init: %cst_41) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %267 = stablehlo.broadcast_in_dim %266, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_42 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %268 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %269 = stablehlo.divide %267, %268 : tensor<16x1xf32>
    %270 = stablehlo.broadcast_in_dim %269, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %271 = stablehlo.subtract %265, %270 : tensor<16x96xf32>
    %272 = stablehlo.multiply %271, %271 : tensor<16x96xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %273 = stablehlo.reduce(%272 init: %cst_43) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %274 = stablehlo.broadcast_in_dim %273, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_44 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %275 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %276 = stablehlo.divide %274, %275 : tensor<16x1xf32>
    %cst_45 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %277 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %278 = stablehlo.add %276, %277 : tensor<16x1xf32>
    %279 = stablehlo.rsqrt %278 : tensor<16x1xf32>
    %280 = stablehlo.broadcast_in_dim %279, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %281 = stablehlo.multiply %271, %280 : tensor<16x96xf32>
    %282 = stablehlo.dot_general %281, %$layer1.query.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %283 = stablehlo.broadcast_in_dim %$layer1.query.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %284 = stablehlo.broadcast_in_dim %283, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %285 = stablehlo.add %282, %284 : tensor<16x96xf32>
    %286 = stablehlo.reshape %285 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %287 = stablehlo.transpose %286, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %288 = stablehlo.reshape %194 : (tensor<12x96xf32>) -> tensor<12x4x24xf32>
    %289 = stablehlo.transpose %288, dims = [1, 2, 0] : (tensor<12x4x24xf32>) -> tensor<4x24x12xf32>
    %290 = stablehlo.reshape %196 : (tensor<12x96xf32>) -> tensor<12x4x24xf32>
    %291 = stablehlo.transpose %290, dims = [1, 0, 2] : (tensor<12x4x24xf32>) -> tensor<4x12x24xf32>
    %292 = stablehlo.dot_general %287, %289, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x24x12xf32>) -> tensor<4x16x12xf32>
    %cst_46 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %293 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<4x16x12xf32>
    %294 = stablehlo.multiply %292, %293 : tensor<4x16x12xf32>
    %cst_47 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %295 = stablehlo.reduce(%294 init: %cst_47) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x12xf32>, tensor<f32>) -> tensor<4x16xf32>
    %cst_48 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %296 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %297 = stablehlo.maximum %296, %295 : tensor<4x16xf32>
    %298 = stablehlo.broadcast_in_dim %297, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %299 = stablehlo.broadcast_in_dim %298, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %300 = stablehlo.subtract %294, %299 : tensor<4x16x12xf32>
    %301 = stablehlo.exponential %300 : tensor<4x16x12xf32>
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %302 = stablehlo.reduce(%301 init: %cst_49) applies stablehlo.add across dimensions = [2] : (tensor<4x16x12xf32>, tensor<f32>) -> tensor<4x16xf32>
    %303 = stablehlo.broadcast_in_dim %302, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %304 = stablehlo.broadcast_in_dim %303, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %305 = stablehlo.divide %301, %304 : tensor<4x16x12xf32>
    %306 = stablehlo.dot_general %305, %291, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x12xf32>, tensor<4x12x24xf32>) -> tensor<4x16x24xf32>
    %307 = stablehlo.transpose %306, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %308 = stablehlo.reshape %307 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %309 = stablehlo.dot_general %308, %$layer1.context_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %310 = stablehlo.broadcast_in_dim %$layer1.context_out.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %311 = stablehlo.broadcast_in_dim %310, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %312 = stablehlo.add %309, %311 : tensor<16x96xf32>
    %313 = stablehlo.add %265, %312 : tensor<16x96xf32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %314 = stablehlo.reduce(%313 init: %cst_50) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %315 = stablehlo.broadcast_in_dim %314, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_51 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %316 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %317 = stablehlo.divide %315, %316 : tensor<16x1xf32>
    %318 = stablehlo.broadcast_in_dim %317, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %319 = stablehlo.subtract %313, %318 : tensor<16x96xf32>
    %320 = stablehlo.multiply %319, %319 : tensor<16x96xf32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %321 = stablehlo.reduce(%320 init: %cst_52) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %322 = stablehlo.broadcast_in_dim %321, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_53 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %323 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %324 = stablehlo.divide %322, %323 : tensor<16x1xf32>
    %cst_54 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %325 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %326 = stablehlo.add %324, %325 : tensor<16x1xf32>
    %327 = stablehlo.rsqrt %326 : tensor<16x1xf32>
    %328 = stablehlo.broadcast_in_dim %327, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %329 = stablehlo.multiply %319, %328 : tensor<16x96xf32>
    %cst_55 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %330 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<16x96xf32>
    %331 = stablehlo.add %330, %210 : tensor<16x96xf32>
    %332 = stablehlo.multiply %329, %331 : tensor<16x96xf32>
    %333 = stablehlo.add %332, %208 : tensor<16x96xf32>
    %334 = stablehlo.dot_general %333, %$layer1.up.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x192xf32>) -> tensor<16x192xf32>
    %335 = stablehlo.broadcast_in_dim %$layer1.up.b, dims = [1] : (tensor<192xf32>) -> tensor<1x192xf32>
    %336 = stablehlo.broadcast_in_dim %335, dims = [0, 1] : (tensor<1x192xf32>) -> tensor<16x192xf32>
    %337 = stablehlo.add %334, %336 : tensor<16x192xf32>
    %338 = stablehlo.multiply %337, %337 : tensor<16x192xf32>
    %339 = stablehlo.multiply %338, %337 : tensor<16x192xf32>
    %cst_56 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %340 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %341 = stablehlo.multiply %340, %339 : tensor<16x192xf32>
    %342 = stablehlo.add %337, %341 : tensor<16x192xf32>
    %cst_57 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %343 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %344 = stablehlo.multiply %343, %342 : tensor<16x192xf32>
    %345 = stablehlo.tanh %344 : tensor<16x192xf32>
    %cst_58 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %346 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %347 = stablehlo.add %346, %345 : tensor<16x192xf32>
    %cst_59 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %348 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %349 = stablehlo.multiply %348, %347 : tensor<16x192xf32>
    %350 = stablehlo.multiply %337, %349 : tensor<16x192xf32>
    %351 = stablehlo.dot_general %350, %$layer1.down.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x192xf32>, tensor<192x96xf32>) -> tensor<16x96xf32>
    %352 = stablehlo.broadcast_in_dim %$layer1.down.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %353 = stablehlo.broadcast_in_dim %352, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %354 = stablehlo.add %351, %353 : tensor<16x96xf32>
    %355 = stablehlo.add %313, %354 : tensor<16x96xf32>
    %356 = stablehlo.slice %arg0 [2:3, 0:12, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x12x96xf32>
    %357 = stablehlo.reshape %356 : (tensor<1x12x96xf32>) -> tensor<12x96xf32>
    %358 = stablehlo.slice %arg0 [2:3, 12:24, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x12x96xf32>
    %359 = stablehlo.reshape %358 : (tensor<1x12x96xf32>) -> tensor<12x96xf32>
    %360 = stablehlo.slice %arg0 [2:3, 24:28, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x4x96xf32>
    %361 = stablehlo.reshape %360 : (tensor<1x4x96xf32>) -> tensor<4x96xf32>
    %362 = stablehlo.broadcast_in_dim %361, dims = [1, 2] : (tensor<4x96xf32>) -> tensor<1x4x96xf32>
    %363 = stablehlo.broadcast_in_dim %362, dims = [0, 1, 2] : (tensor<1x4x96xf32>) -> tensor<16x4x96xf32>
    %364 = stablehlo.add %363, %24 : tensor<16x4x96xf32>
    %365 = stablehlo.transpose %364, dims = [1, 0, 2] : (tensor<16x4x96xf32>) -> tensor<4x16x96xf32>
    %366 = stablehlo.slice %365 [0:1, 0:16, 0:96] : (tensor<4x16x96xf32>) -> tensor<1x16x96xf32>
    %367 = stablehlo.reshape %366 : (tensor<1x16x96xf32>) -> tensor<16x96xf32>
    %368 = stablehlo.slice %365 [1:2, 0:16, 0:96] : (tensor<4x16x96xf32>) -> tensor<1x16x96xf32>
    %369 = stablehlo.reshape %368 : (tensor<1x16x96xf32>) -> tensor<16x96xf32>
    %370 = stablehlo.slice %365 [2:3, 0:16, 0:96] : (tensor<4x16x96xf32>) -> tensor<1x16x96xf32>
    %371 = stablehlo.reshape %370 : (tensor<1x16x96xf32>) -> tensor<16x96xf32>
    %372 = stablehlo.slice %365 [3:4, 0:16, 0:96] : (tensor<4x16x96xf32>) -> tensor<1x16x96xf32>
    %373 = stablehlo.reshape %372 : (tensor<1x16x96xf32>) -> tensor<16x96xf32>
    %cst_60 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %374 = stablehlo.reduce(%355 init: %cst_60) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %375 = stablehlo.broadcast_in_dim %374, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_61 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %376 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %377 = stablehlo.divide %375, %376 : tensor<16x1xf32>
    %378 = stablehlo.broadcast_in_dim %377, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %379 = stablehlo.subtract %355, %378 : tensor<16x96xf32>
    %380 = stablehlo.multiply %379, %379 : tensor<16x96xf32>
    %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %381 = stablehlo.reduce(%380 init: %cst_62) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %382 = stablehlo.broadcast_in_dim %381, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_63 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %383 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %384 = stablehlo.divide %382, %383 : tensor<16x1xf32>
    %cst_64 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %385 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %386 = stablehlo.add %384, %385 : tensor<16x1xf32>
    %387 = stablehlo.rsqrt %386 : tensor<16x1xf32>
    %388 = stablehlo.broadcast_in_dim %387, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %389 = stablehlo.multiply %379, %388 : tensor<16x96xf32>
    %cst_65 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %390 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<16x96xf32>
    %391 = stablehlo.add %390, %369 : tensor<16x96xf32>
    %392 = stablehlo.multiply %389, %391 : tensor<16x96xf32>
    %393 = stablehlo.add %392, %367 : tensor<16x96xf32>
    %394 = stablehlo.dot_general %393, %$layer2.self.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x288xf32>) -> tensor<16x288xf32>
    %395 = stablehlo.broadcast_in_dim %$layer2.self.b, dims = [1] : (tensor<288xf32>) -> tensor<1x288xf32>
    %396 = stablehlo.broadcast_in_dim %395, dims = [0, 1] : (tensor<1x288xf32>) -> tensor<16x288xf32>
    %397 = stablehlo.add %394, %396 : tensor<16x288xf32>
    %398 = stablehlo.slice %397 [0:16, 0:96] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %399 = stablehlo.slice %397 [0:16, 96:192] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %400 = stablehlo.slice %397 [0:16, 192:288] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %401 = stablehlo.reshape %398 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %402 = stablehlo.transpose %401, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %403 = stablehlo.reshape %399 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %404 = stablehlo.transpose %403, dims = [1, 2, 0] : (tensor<16x4x24xf32>) -> tensor<4x24x16xf32>
    %405 = stablehlo.reshape %400 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %406 = stablehlo.transpose %405, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %407 = stablehlo.dot_general %402, %404, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x24x16xf32>) -> tensor<4x16x16xf32>
    %cst_66 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %408 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %409 = stablehlo.multiply %407, %408 : tensor<4x16x16xf32>
    %cst_67 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %410 = stablehlo.reduce(%409 init: %cst_67) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %cst_68 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %411 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %412 = stablehlo.maximum %411, %410 : tensor<4x16xf32>
    %413 = stablehlo.broadcast_in_dim %412, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %414 = stablehlo.broadcast_in_dim %413, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %415 = stablehlo.subtract %409, %414 : tensor<4x16x16xf32>
    %416 = stablehlo.exponential %415 : tensor<4x16x16xf32>
    %cst_69 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %417 = stablehlo.reduce(%416 init: %cst_69) applies stablehlo.add across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %418 = stablehlo.broadcast_in_dim %417, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %419 = stablehlo.broadcast_in_dim %418, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %420 = stablehlo.divide %416, %419 : tensor<4x16x16xf32>
    %421 = stablehlo.dot_general %420, %406, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x16xf32>, tensor<4x16x24xf32>) -> tensor<4x16x24xf32>
    %422 = stablehlo.transpose %421, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %423 = stablehlo.reshape %422 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %424 = stablehlo.dot_general %423, %$layer2.self_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %425 = stablehlo.broadcast_in_dim %$layer2.self_out.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %426 = stablehlo.broadcast_in_dim %425, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %427 = stablehlo.add %424, %426 : tensor<16x96xf32>
    %428 = stablehlo.add %355, %427 : tensor<16x96xf32>
    %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %429 = stablehlo.reduce(%428 init: %cst_70) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %430 = stablehlo.broadcast_in_dim %429, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_71 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %431 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %432 = stablehlo.divide %430, %431 : tensor<16x1xf32>
    %433 = stablehlo.broadcast_in_dim %432, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %434 = stablehlo.subtract %428, %433 : tensor<16x96xf32>
    %435 = stablehlo.multiply %434, %434 : tensor<16x96xf32>
    %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %436 = stablehlo.reduce(%435 init: %cst_72) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %437 = stablehlo.broadcast_in_dim %436, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_73 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %438 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %439 = stablehlo.divide %437, %438 : tensor<16x1xf32>
    %cst_74 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %440 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %441 = stablehlo.add %439, %440 : tensor<16x1xf32>
    %442 = stablehlo.rsqrt %441 : tensor<16x1xf32>
    %443 = stablehlo.broadcast_in_dim %442, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %444 = stablehlo.multiply %434, %443 : tensor<16x96xf32>
    %445 = stablehlo.dot_general %444, %$layer2.query.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %446 = stablehlo.broadcast_in_dim %$layer2.query.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %447 = stablehlo.broadcast_in_dim %446, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %448 = stablehlo.add %445, %447 : tensor<16x96xf32>
    %449 = stablehlo.reshape %448 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %450 = stablehlo.transpose %449, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %451 = stablehlo.reshape %357 : (tensor<12x96xf32>) -> tensor<12x4x24xf32>
    %452 = stablehlo.transpose %451, dims = [1, 2, 0] : (tensor<12x4x24xf32>) -> tensor<4x24x12xf32>
    %453 = stablehlo.reshape %359 : (tensor<12x96xf32>) -> tensor<12x4x24xf32>
    %454 = stablehlo.transpose %453, dims = [1, 0, 2] : (tensor<12x4x24xf32>) -> tensor<4x12x24xf32>
    %455 = stablehlo.dot_general %450, %452, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x24x12xf32>) -> tensor<4x16x12xf32>
    %cst_75 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %456 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<4x16x12xf32>
    %457 = stablehlo.multiply %455, %456 : tensor<4x16x12xf32>
    %cst_76 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %458 = stablehlo.reduce(%457 init: %cst_76) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x12xf32>, tensor<f32>) -> tensor<4x16xf32>
    %cst_77 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %459 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %460 = stablehlo.maximum %459, %458 : tensor<4x16xf32>
    %461 = stablehlo.broadcast_in_dim %460, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %462 = stablehlo.broadcast_in_dim %461, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %463 = stablehlo.subtract %457, %462 : tensor<4x16x12xf32>
    %464 = stablehlo.exponential %463 : tensor<4x16x12xf32>
    %cst_78 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %465 = stablehlo.reduce(%464 init: %cst_78) applies stablehlo.add across dimensions = [2] : (tensor<4x16x12xf32>, tensor<f32>) -> tensor<4x16xf32>
    %466 = stablehlo.broadcast_in_dim %465, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %467 = stablehlo.broadcast_in_dim %466, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %468 = stablehlo.divide %464, %467 : tensor<4x16x12xf32>
    %469 = stablehlo.dot_general %468, %454, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x12xf32>, tensor<4x12x24xf32>) -> tensor<4x16x24xf32>
    %470 = stablehlo.transpose %469, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %471 = stablehlo.reshape %470 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %472 = stablehlo.dot_general %471, %$layer2.context_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %473 = stablehlo.broadcast_in_dim %$layer2.context_out.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %474 = stablehlo.broadcast_in_dim %473, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %475 = stablehlo.add %472, %474 : tensor<16x96xf32>
    %476 = stablehlo.add %428, %475 : tensor<16x96xf32>
    %cst_79 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %477 = stablehlo.reduce(%476 init: %cst_79) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %478 = stablehlo.broadcast_in_dim %477, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_80 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %479 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %480 = stablehlo.divide %478, %479 : tensor<16x1xf32>
    %481 = stablehlo.broadcast_in_dim %480, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %482 = stablehlo.subtract %476, %481 : tensor<16x96xf32>
    %483 = stablehlo.multiply %482, %482 : tensor<16x96xf32>
    %cst_81 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %484 = stablehlo.reduce(%483 init: %cst_81) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %485 = stablehlo.broadcast_in_dim %484, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_82 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %486 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %487 = stablehlo.divide %485, %486 : tensor<16x1xf32>
    %cst_83 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %488 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %489 = stablehlo.add %487, %488 : tensor<16x1xf32>
    %490 = stablehlo.rsqrt %489 : tensor<16x1xf32>
    %491 = stablehlo.broadcast_in_dim %490, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %492 = stablehlo.multiply %482, %491 : tensor<16x96xf32>
    %cst_84 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %493 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<16x96xf32>
    %494 = stablehlo.add %493, %373 : tensor<16x96xf32>
    %495 = stablehlo.multiply %492, %494 : tensor<16x96xf32>
    %496 = stablehlo.add %495, %371 : tensor<16x96xf32>
    %497 = stablehlo.dot_general %496, %$layer2.up.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x192xf32>) -> tensor<16x192xf32>
    %498 = stablehlo.broadcast_in_dim %$layer2.up.b, dims = [1] : (tensor<192xf32>) -> tensor<1x192xf32>
    %499 = stablehlo.broadcast_in_dim %498, dims = [0, 1] : (tensor<1x192xf32>) -> tensor<16x192xf32>
    %500 = stablehlo.add %497, %499 : tensor<16x192xf32>
    %501 = stablehlo.multiply %500, %500 : tensor<16x192xf32>
    %502 = stablehlo.multiply %501, %500 : tensor<16x192xf32>
    %cst_85 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %503 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %504 = stablehlo.multiply %503, %502 : tensor<16x192xf32>
    %505 = stablehlo.add %500, %504 : tensor<16x192xf32>
    %cst_86 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %506 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %507 = stablehlo.multiply %506, %505 : tensor<16x192xf32>
    %508 = stablehlo.tanh %507 : tensor<16x192xf32>
    %cst_87 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %509 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %510 = stablehlo.add %509, %508 : tensor<16x192xf32>
    %cst_88 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %511 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %512 = stablehlo.multiply %511, %510 : tensor<16x192xf32>
    %513 = stablehlo.multiply %500, %512 : tensor<16x192xf32>
    %514 = stablehlo.dot_general %513, %$layer2.down.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x192xf32>, tensor<192x96xf32>) -> tensor<16x96xf32>
    %515 = stablehlo.broadcast_in_dim %$layer2.down.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %516 = stablehlo.broadcast_in_dim %515, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %517 = stablehlo.add %514, %516 : tensor<16x96xf32>
    %518 = stablehlo.add %476, %517 : tensor<16x96xf32>
    %cst_89 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %519 = stablehlo.reduce(%518 init: %cst_89) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %520 = stablehlo.broadcast_in_dim %519, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_90 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %521 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %522 = stablehlo.divide %520, %521 : tensor<16x1xf32>
    %523 = stablehlo.broadcast_in_dim %522, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %524 = stablehlo.subtract %518, %523 : tensor<16x96xf32>
    %525 = stablehlo.multiply %524, %524 : tensor<16x96xf32>
    %cst_91 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %526 = stablehlo.reduce(%525 init: %cst_91) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %527 = stablehlo.broadcast_in_dim %526, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_92 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %528 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %529 = stablehlo.divide %527, %528 : tensor<16x1xf32>
    %cst_93 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %530 = stablehlo.broadcast_in_dim %cst_93, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %531 = stablehlo.add %529, %530 : tensor<16x1xf32>
    %532 = stablehlo.rsqrt %531 : tensor<16x1xf32>
    %533 = stablehlo.broadcast_in_dim %532, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %534 = stablehlo.multiply %524, %533 : tensor<16x96xf32>
    %535 = stablehlo.dot_general %534, %$action_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x4xf32>) -> tensor<16x4xf32>
    %536 = stablehlo.broadcast_in_dim %$action_out.b, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %537 = stablehlo.broadcast_in_dim %536, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<16x4xf32>
    %538 = stablehlo.add %535, %537 : tensor<16x4xf32>
    %cst_94 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %539 = call @step_trained$_where_1(%3, %cst_94, %538) : (tensor<16x1xi1>, tensor<f32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %540 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
    %541 = stablehlo.multiply %540, %539 : tensor<16x4xf32>
    %542 = stablehlo.add %4, %541 : tensor<16x4xf32>
    %543 = stablehlo.add %arg2, %arg3 : tensor<f32>
    return %542, %543 : tensor<16x4xf32>, tensor<f32>
  }
  func.func private @step_trained$_where(%arg0: tensor<16x1xi1>, %arg1: tensor<16x4xf32>, %arg2: tensor<16x4xf32>) -> tensor<16x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<16x1xi1>) -> tensor<16x4xi1>
    %1 = stablehlo.select %0, %arg1, %arg2 : tensor<16x4xi1>, tensor<16x4xf32>
    return %1 : tensor<16x4xf32>
  }
  func.func private @step_trained$_where_0(%arg0: tensor<16xi1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<16xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %3 = stablehlo.select %arg0, %1, %2 : tensor<16xi1>, tensor<16xf32>
    return %3 : tensor<16xf32>
  }
  func.func private @step_trained$silu(%arg0: tensor<16x96xf32>) -> tensor<16x96xf32> {
    %0 = stablehlo.negate %arg0 : tensor<16x96xf32>
    %1 = stablehlo.exponential %0 : tensor<16x96xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x96xf32>
    %3 = stablehlo.add %2, %1 : tensor<16x96xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16x96xf32>
    %5 = stablehlo.divide %4, %3 : tensor<16x96xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<16x96xf32>
    return %6 : tensor<16x96xf32>
  }
  func.func private @step_trained$_where_1(%arg0: tensor<16x1xi1>, %arg1: tensor<f32>, %arg2: tensor<16x4xf32>) -> tensor<16x4xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<16x1xi1>) -> tensor<16x4xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
    %3 = stablehlo.select %1, %2, %arg2 : tensor<16x4xi1>, tensor<16x4xf32>
    return %3 : tensor<16x4xf32>
  }
  func.func public @finish(%arg0: tensor<16x4xf32>, %arg1: tensor<16x4xf32> {iree.abi.output = 0 : index}, %arg2: !hal.buffer {iree.abi.transients}) -> tensor<16x4xf32> attributes {iree.reflection = {polyrhythm.inputs = "x", polyrhythm.outputs = "actions"}} {
    %0 = util.optimization_barrier %arg0 : tensor<16x4xf32>
    %$action_mean = util.global.load @"$action_mean" : tensor<4xf32>
    %$action_std = util.global.load @"$action_std" : tensor<4xf32>
    %1 = stablehlo.broadcast_in_dim %$action_std, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<16x4xf32>
    %3 = stablehlo.multiply %arg0, %2 : tensor<16x4xf32>
    %4 = stablehlo.broadcast_in_dim %$action_mean, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<16x4xf32>
    %6 = stablehlo.add %3, %5 : tensor<16x4xf32>
    %cst = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %7 = call @finish$clip(%6, %cst, %cst_0) : (tensor<16x4xf32>, tensor<f32>, tensor<f32>) -> tensor<16x4xf32>
    return %7 : tensor<16x4xf32>
  }
  func.func private @finish$clip(%arg0: tensor<16x4xf32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<16x4xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<16x4xf32>
    %3 = stablehlo.convert %arg2 : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<16x4xf32>
    return %5 : tensor<16x4xf32>
  }
}
