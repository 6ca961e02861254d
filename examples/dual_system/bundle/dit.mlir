module {
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
  util.global private @"$action_mean" = #flow.parameter.named<"model"::"action_mean"> : tensor<4xf32>
  util.global private @"$action_std" = #flow.parameter.named<"model"::"action_std"> : tensor<4xf32>
  func.func public @start(%arg0: tensor<8x64xf32>, %arg1: tensor<8xf32>, %arg2: tensor<16x4xf32>, %arg3: tensor<3x28x96xf32> {iree.abi.output = 0 : index}, %arg4: tensor<16x4xf32> {iree.abi.output = 1 : index}, %arg5: tensor<f32> {iree.abi.output = 2 : index}, %arg6: tensor<f32> {iree.abi.output = 3 : index}, %arg7: !hal.buffer {iree.abi.transients}) -> (tensor<3x28x96xf32>, tensor<16x4xf32>, tensor<f32>, tensor<f32>) attributes {iree.reflection = {polyrhythm.inputs = "hidden,proprio,noise", polyrhythm.outputs = "cond,x,t,dt"}} {
    %0:3 = util.optimization_barrier %arg0, %arg1, %arg2 : tensor<8x64xf32>, tensor<8xf32>, tensor<16x4xf32>
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
    %1 = stablehlo.slice %arg1 [0:4] : (tensor<8xf32>) -> tensor<4xf32>
    %2 = stablehlo.slice %arg1 [4:8] : (tensor<8xf32>) -> tensor<4xf32>
    %3 = stablehlo.subtract %1, %2 : tensor<4xf32>
    %4 = stablehlo.concatenate %1, %3, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
    %5 = stablehlo.subtract %4, %$motion_mean : tensor<8xf32>
    %6 = stablehlo.divide %5, %$motion_std : tensor<8xf32>
    %7 = stablehlo.reshape %arg0 : (tensor<8x64xf32>) -> tensor<512xf32>
    %8 = stablehlo.concatenate %7, %6, dim = 0 : (tensor<512xf32>, tensor<8xf32>) -> tensor<520xf32>
    %9 = stablehlo.dot_general %8, %$fuse0.w, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<520xf32>, tensor<520x192xf32>) -> tensor<192xf32>
    %10 = stablehlo.add %9, %$fuse0.b : tensor<192xf32>
    %11 = stablehlo.multiply %10, %10 : tensor<192xf32>
    %12 = stablehlo.multiply %11, %10 : tensor<192xf32>
    %cst = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<192xf32>
    %14 = stablehlo.multiply %13, %12 : tensor<192xf32>
    %15 = stablehlo.add %10, %14 : tensor<192xf32>
    %cst_0 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<192xf32>
    %17 = stablehlo.multiply %16, %15 : tensor<192xf32>
    %18 = stablehlo.tanh %17 : tensor<192xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<192xf32>
    %20 = stablehlo.add %19, %18 : tensor<192xf32>
    %cst_2 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<192xf32>
    %22 = stablehlo.multiply %21, %20 : tensor<192xf32>
    %23 = stablehlo.multiply %10, %22 : tensor<192xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.reduce(%23 init: %cst_3) applies stablehlo.add across dimensions = [0] : (tensor<192xf32>, tensor<f32>) -> tensor<f32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_4 = stablehlo.constant dense<1.920000e+02> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %27 = stablehlo.divide %25, %26 : tensor<1xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0] : (tensor<1xf32>) -> tensor<192xf32>
    %29 = stablehlo.subtract %23, %28 : tensor<192xf32>
    %30 = stablehlo.multiply %29, %29 : tensor<192xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.reduce(%30 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<192xf32>, tensor<f32>) -> tensor<f32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_6 = stablehlo.constant dense<1.920000e+02> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %34 = stablehlo.divide %32, %33 : tensor<1xf32>
    %cst_7 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %36 = stablehlo.add %34, %35 : tensor<1xf32>
    %37 = stablehlo.rsqrt %36 : tensor<1xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0] : (tensor<1xf32>) -> tensor<192xf32>
    %39 = stablehlo.multiply %29, %38 : tensor<192xf32>
    %40 = stablehlo.dot_general %39, %$fuse1.w, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<192xf32>, tensor<192x192xf32>) -> tensor<192xf32>
    %41 = stablehlo.add %40, %$fuse1.b : tensor<192xf32>
    %42 = stablehlo.multiply %41, %41 : tensor<192xf32>
    %43 = stablehlo.multiply %42, %41 : tensor<192xf32>
    %cst_8 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<192xf32>
    %45 = stablehlo.multiply %44, %43 : tensor<192xf32>
    %46 = stablehlo.add %41, %45 : tensor<192xf32>
    %cst_9 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<192xf32>
    %48 = stablehlo.multiply %47, %46 : tensor<192xf32>
    %49 = stablehlo.tanh %48 : tensor<192xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<192xf32>
    %51 = stablehlo.add %50, %49 : tensor<192xf32>
    %cst_11 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<192xf32>
    %53 = stablehlo.multiply %52, %51 : tensor<192xf32>
    %54 = stablehlo.multiply %41, %53 : tensor<192xf32>
    %55 = stablehlo.add %23, %54 : tensor<192xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.reduce(%55 init: %cst_12) applies stablehlo.add across dimensions = [0] : (tensor<192xf32>, tensor<f32>) -> tensor<f32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_13 = stablehlo.constant dense<1.920000e+02> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %59 = stablehlo.divide %57, %58 : tensor<1xf32>
    %60 = stablehlo.broadcast_in_dim %59, dims = [0] : (tensor<1xf32>) -> tensor<192xf32>
    %61 = stablehlo.subtract %55, %60 : tensor<192xf32>
    %62 = stablehlo.multiply %61, %61 : tensor<192xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %63 = stablehlo.reduce(%62 init: %cst_14) applies stablehlo.add across dimensions = [0] : (tensor<192xf32>, tensor<f32>) -> tensor<f32>
    %64 = stablehlo.broadcast_in_dim %63, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_15 = stablehlo.constant dense<1.920000e+02> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %66 = stablehlo.divide %64, %65 : tensor<1xf32>
    %cst_16 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %68 = stablehlo.add %66, %67 : tensor<1xf32>
    %69 = stablehlo.rsqrt %68 : tensor<1xf32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [0] : (tensor<1xf32>) -> tensor<192xf32>
    %71 = stablehlo.multiply %61, %70 : tensor<192xf32>
    %72 = stablehlo.dot_general %71, %$fuse2.w, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<192xf32>, tensor<192x192xf32>) -> tensor<192xf32>
    %73 = stablehlo.add %72, %$fuse2.b : tensor<192xf32>
    %74 = stablehlo.multiply %73, %73 : tensor<192xf32>
    %75 = stablehlo.multiply %74, %73 : tensor<192xf32>
    %cst_17 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<192xf32>
    %77 = stablehlo.multiply %76, %75 : tensor<192xf32>
    %78 = stablehlo.add %73, %77 : tensor<192xf32>
    %cst_18 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %79 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<192xf32>
    %80 = stablehlo.multiply %79, %78 : tensor<192xf32>
    %81 = stablehlo.tanh %80 : tensor<192xf32>
    %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<192xf32>
    %83 = stablehlo.add %82, %81 : tensor<192xf32>
    %cst_20 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<192xf32>
    %85 = stablehlo.multiply %84, %83 : tensor<192xf32>
    %86 = stablehlo.multiply %73, %85 : tensor<192xf32>
    %87 = stablehlo.add %55, %86 : tensor<192xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %88 = stablehlo.reduce(%87 init: %cst_21) applies stablehlo.add across dimensions = [0] : (tensor<192xf32>, tensor<f32>) -> tensor<f32>
    %89 = stablehlo.broadcast_in_dim %88, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_22 = stablehlo.constant dense<1.920000e+02> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %91 = stablehlo.divide %89, %90 : tensor<1xf32>
    %92 = stablehlo.broadcast_in_dim %91, dims = [0] : (tensor<1xf32>) -> tensor<192xf32>
    %93 = stablehlo.subtract %87, %92 : tensor<192xf32>
    %94 = stablehlo.multiply %93, %93 : tensor<192xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %95 = stablehlo.reduce(%94 init: %cst_23) applies stablehlo.add across dimensions = [0] : (tensor<192xf32>, tensor<f32>) -> tensor<f32>
    %96 = stablehlo.broadcast_in_dim %95, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_24 = stablehlo.constant dense<1.920000e+02> : tensor<f32>
    %97 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %98 = stablehlo.divide %96, %97 : tensor<1xf32>
    %cst_25 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %100 = stablehlo.add %98, %99 : tensor<1xf32>
    %101 = stablehlo.rsqrt %100 : tensor<1xf32>
    %102 = stablehlo.broadcast_in_dim %101, dims = [0] : (tensor<1xf32>) -> tensor<192xf32>
    %103 = stablehlo.multiply %93, %102 : tensor<192xf32>
    %104 = stablehlo.dot_general %arg0, %$seen.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64xf32>, tensor<64x96xf32>) -> tensor<8x96xf32>
    %105 = stablehlo.broadcast_in_dim %$seen.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %106 = stablehlo.broadcast_in_dim %105, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<8x96xf32>
    %107 = stablehlo.add %104, %106 : tensor<8x96xf32>
    %108 = stablehlo.dot_general %103, %$known.w, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<192xf32>, tensor<192x384xf32>) -> tensor<384xf32>
    %109 = stablehlo.add %108, %$known.b : tensor<384xf32>
    %110 = stablehlo.reshape %109 : (tensor<384xf32>) -> tensor<4x96xf32>
    %111 = stablehlo.concatenate %107, %110, dim = 0 : (tensor<8x96xf32>, tensor<4x96xf32>) -> tensor<12x96xf32>
    %112 = stablehlo.add %111, %$context_position : tensor<12x96xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %113 = stablehlo.reduce(%112 init: %cst_26) applies stablehlo.add across dimensions = [1] : (tensor<12x96xf32>, tensor<f32>) -> tensor<12xf32>
    %114 = stablehlo.broadcast_in_dim %113, dims = [0] : (tensor<12xf32>) -> tensor<12x1xf32>
    %cst_27 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %115 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<12x1xf32>
    %116 = stablehlo.divide %114, %115 : tensor<12x1xf32>
    %117 = stablehlo.broadcast_in_dim %116, dims = [0, 1] : (tensor<12x1xf32>) -> tensor<12x96xf32>
    %118 = stablehlo.subtract %112, %117 : tensor<12x96xf32>
    %119 = stablehlo.multiply %118, %118 : tensor<12x96xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %120 = stablehlo.reduce(%119 init: %cst_28) applies stablehlo.add across dimensions = [1] : (tensor<12x96xf32>, tensor<f32>) -> tensor<12xf32>
    %121 = stablehlo.broadcast_in_dim %120, dims = [0] : (tensor<12xf32>) -> tensor<12x1xf32>
    %cst_29 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<12x1xf32>
    %123 = stablehlo.divide %121, %122 : tensor<12x1xf32>
    %cst_30 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %124 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<12x1xf32>
    %125 = stablehlo.add %123, %124 : tensor<12x1xf32>
    %126 = stablehlo.rsqrt %125 : tensor<12x1xf32>
    %127 = stablehlo.broadcast_in_dim %126, dims = [0, 1] : (tensor<12x1xf32>) -> tensor<12x96xf32>
    %128 = stablehlo.multiply %118, %127 : tensor<12x96xf32>
    %129 = stablehlo.dot_general %103, %$modulate_chunk.w, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<192xf32>, tensor<192x384xf32>) -> tensor<384xf32>
    %130 = stablehlo.add %129, %$modulate_chunk.b : tensor<384xf32>
    %131 = stablehlo.reshape %130 : (tensor<384xf32>) -> tensor<4x96xf32>
    %132 = stablehlo.dot_general %128, %$layer0.context.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<12x96xf32>, tensor<96x192xf32>) -> tensor<12x192xf32>
    %133 = stablehlo.broadcast_in_dim %$layer0.context.b, dims = [1] : (tensor<192xf32>) -> tensor<1x192xf32>
    %134 = stablehlo.broadcast_in_dim %133, dims = [0, 1] : (tensor<1x192xf32>) -> tensor<12x192xf32>
    %135 = stablehlo.add %132, %134 : tensor<12x192xf32>
    %136 = stablehlo.slice %135 [0:12, 0:96] : (tensor<12x192xf32>) -> tensor<12x96xf32>
    %137 = stablehlo.slice %135 [0:12, 96:192] : (tensor<12x192xf32>) -> tensor<12x96xf32>
    %138 = stablehlo.add %131, %$layer0.modulation : tensor<4x96xf32>
    %139 = stablehlo.concatenate %136, %137, %138, dim = 0 : (tensor<12x96xf32>, tensor<12x96xf32>, tensor<4x96xf32>) -> tensor<28x96xf32>
    %140 = stablehlo.dot_general %128, %$layer1.context.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<12x96xf32>, tensor<96x192xf32>) -> tensor<12x192xf32>
    %141 = stablehlo.broadcast_in_dim %$layer1.context.b, dims = [1] : (tensor<192xf32>) -> tensor<1x192xf32>
    %142 = stablehlo.broadcast_in_dim %141, dims = [0, 1] : (tensor<1x192xf32>) -> tensor<12x192xf32>
    %143 = stablehlo.add %140, %142 : tensor<12x192xf32>
    %144 = stablehlo.slice %143 [0:12, 0:96] : (tensor<12x192xf32>) -> tensor<12x96xf32>
    %145 = stablehlo.slice %143 [0:12, 96:192] : (tensor<12x192xf32>) -> tensor<12x96xf32>
    %146 = stablehlo.add %131, %$layer1.modulation : tensor<4x96xf32>
    %147 = stablehlo.concatenate %144, %145, %146, dim = 0 : (tensor<12x96xf32>, tensor<12x96xf32>, tensor<4x96xf32>) -> tensor<28x96xf32>
    %148 = stablehlo.dot_general %128, %$layer2.context.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<12x96xf32>, tensor<96x192xf32>) -> tensor<12x192xf32>
    %149 = stablehlo.broadcast_in_dim %$layer2.context.b, dims = [1] : (tensor<192xf32>) -> tensor<1x192xf32>
    %150 = stablehlo.broadcast_in_dim %149, dims = [0, 1] : (tensor<1x192xf32>) -> tensor<12x192xf32>
    %151 = stablehlo.add %148, %150 : tensor<12x192xf32>
    %152 = stablehlo.slice %151 [0:12, 0:96] : (tensor<12x192xf32>) -> tensor<12x96xf32>
    %153 = stablehlo.slice %151 [0:12, 96:192] : (tensor<12x192xf32>) -> tensor<12x96xf32>
    %154 = stablehlo.add %131, %$layer2.modulation : tensor<4x96xf32>
    %155 = stablehlo.concatenate %152, %153, %154, dim = 0 : (tensor<12x96xf32>, tensor<12x96xf32>, tensor<4x96xf32>) -> tensor<28x96xf32>
    %156 = stablehlo.broadcast_in_dim %139, dims = [1, 2] : (tensor<28x96xf32>) -> tensor<1x28x96xf32>
    %157 = stablehlo.broadcast_in_dim %147, dims = [1, 2] : (tensor<28x96xf32>) -> tensor<1x28x96xf32>
    %158 = stablehlo.broadcast_in_dim %155, dims = [1, 2] : (tensor<28x96xf32>) -> tensor<1x28x96xf32>
    %159 = stablehlo.concatenate %156, %157, %158, dim = 0 : (tensor<1x28x96xf32>, tensor<1x28x96xf32>, tensor<1x28x96xf32>) -> tensor<3x28x96xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_32 = stablehlo.constant dense<2.000000e-01> : tensor<f32>
    return %159, %arg2, %cst_31, %cst_32 : tensor<3x28x96xf32>, tensor<16x4xf32>, tensor<f32>, tensor<f32>
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
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2 = stablehlo.multiply %1, %cst : tensor<32xf32>
    %3 = stablehlo.cosine %2 : tensor<32xf32>
    %4 = stablehlo.sine %2 : tensor<32xf32>
    %5 = stablehlo.concatenate %3, %4, dim = 0 : (tensor<32xf32>, tensor<32xf32>) -> tensor<64xf32>
    %6 = stablehlo.dot_general %5, %$clock0.w, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64xf32>, tensor<64x96xf32>) -> tensor<96xf32>
    %7 = stablehlo.add %6, %$clock0.b : tensor<96xf32>
    %8 = call @step$silu(%7) : (tensor<96xf32>) -> tensor<96xf32>
    %9 = stablehlo.dot_general %8, %$clock1.w, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<96xf32>, tensor<96x384xf32>) -> tensor<384xf32>
    %10 = stablehlo.add %9, %$clock1.b : tensor<384xf32>
    %11 = stablehlo.reshape %10 : (tensor<384xf32>) -> tensor<4x96xf32>
    %12 = stablehlo.dot_general %arg1, %$action_in.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x4xf32>, tensor<4x96xf32>) -> tensor<16x96xf32>
    %13 = stablehlo.broadcast_in_dim %$action_in.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %15 = stablehlo.add %12, %14 : tensor<16x96xf32>
    %16 = stablehlo.add %15, %$tick_position : tensor<16x96xf32>
    %17 = stablehlo.slice %arg0 [0:1, 0:12, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x12x96xf32>
    %18 = stablehlo.reshape %17 : (tensor<1x12x96xf32>) -> tensor<12x96xf32>
    %19 = stablehlo.slice %arg0 [0:1, 12:24, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x12x96xf32>
    %20 = stablehlo.reshape %19 : (tensor<1x12x96xf32>) -> tensor<12x96xf32>
    %21 = stablehlo.slice %arg0 [0:1, 24:28, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x4x96xf32>
    %22 = stablehlo.reshape %21 : (tensor<1x4x96xf32>) -> tensor<4x96xf32>
    %23 = stablehlo.add %22, %11 : tensor<4x96xf32>
    %24 = stablehlo.slice %23 [0:1, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %25 = stablehlo.reshape %24 : (tensor<1x96xf32>) -> tensor<96xf32>
    %26 = stablehlo.slice %23 [1:2, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %27 = stablehlo.reshape %26 : (tensor<1x96xf32>) -> tensor<96xf32>
    %28 = stablehlo.slice %23 [2:3, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %29 = stablehlo.reshape %28 : (tensor<1x96xf32>) -> tensor<96xf32>
    %30 = stablehlo.slice %23 [3:4, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %31 = stablehlo.reshape %30 : (tensor<1x96xf32>) -> tensor<96xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.reduce(%16 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_1 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %35 = stablehlo.divide %33, %34 : tensor<16x1xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %37 = stablehlo.subtract %16, %36 : tensor<16x96xf32>
    %38 = stablehlo.multiply %37, %37 : tensor<16x96xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %39 = stablehlo.reduce(%38 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_3 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %42 = stablehlo.divide %40, %41 : tensor<16x1xf32>
    %cst_4 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %44 = stablehlo.add %42, %43 : tensor<16x1xf32>
    %45 = stablehlo.rsqrt %44 : tensor<16x1xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %47 = stablehlo.multiply %37, %46 : tensor<16x96xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<96xf32>
    %49 = stablehlo.add %48, %27 : tensor<96xf32>
    %50 = stablehlo.broadcast_in_dim %49, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %52 = stablehlo.multiply %47, %51 : tensor<16x96xf32>
    %53 = stablehlo.broadcast_in_dim %25, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %54 = stablehlo.broadcast_in_dim %53, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %55 = stablehlo.add %52, %54 : tensor<16x96xf32>
    %56 = stablehlo.dot_general %55, %$layer0.self.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x288xf32>) -> tensor<16x288xf32>
    %57 = stablehlo.broadcast_in_dim %$layer0.self.b, dims = [1] : (tensor<288xf32>) -> tensor<1x288xf32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0, 1] : (tensor<1x288xf32>) -> tensor<16x288xf32>
    %59 = stablehlo.add %56, %58 : tensor<16x288xf32>
    %60 = stablehlo.slice %59 [0:16, 0:96] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %61 = stablehlo.slice %59 [0:16, 96:192] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %62 = stablehlo.slice %59 [0:16, 192:288] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %63 = stablehlo.reshape %60 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %64 = stablehlo.transpose %63, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %65 = stablehlo.reshape %61 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %66 = stablehlo.transpose %65, dims = [1, 2, 0] : (tensor<16x4x24xf32>) -> tensor<4x24x16xf32>
    %67 = stablehlo.reshape %62 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %68 = stablehlo.transpose %67, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %69 = stablehlo.dot_general %64, %66, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x24x16xf32>) -> tensor<4x16x16xf32>
    %cst_6 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %71 = stablehlo.multiply %69, %70 : tensor<4x16x16xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %72 = stablehlo.reduce(%71 init: %cst_7) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %74 = stablehlo.maximum %73, %72 : tensor<4x16xf32>
    %75 = stablehlo.broadcast_in_dim %74, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %76 = stablehlo.broadcast_in_dim %75, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %77 = stablehlo.subtract %71, %76 : tensor<4x16x16xf32>
    %78 = stablehlo.exponential %77 : tensor<4x16x16xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %79 = stablehlo.reduce(%78 init: %cst_9) applies stablehlo.add across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %80 = stablehlo.broadcast_in_dim %79, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %81 = stablehlo.broadcast_in_dim %80, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %82 = stablehlo.divide %78, %81 : tensor<4x16x16xf32>
    %83 = stablehlo.dot_general %82, %68, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x16xf32>, tensor<4x16x24xf32>) -> tensor<4x16x24xf32>
    %84 = stablehlo.transpose %83, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %85 = stablehlo.reshape %84 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %86 = stablehlo.dot_general %85, %$layer0.self_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %87 = stablehlo.broadcast_in_dim %$layer0.self_out.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %88 = stablehlo.broadcast_in_dim %87, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %89 = stablehlo.add %86, %88 : tensor<16x96xf32>
    %90 = stablehlo.add %16, %89 : tensor<16x96xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %91 = stablehlo.reduce(%90 init: %cst_10) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %92 = stablehlo.broadcast_in_dim %91, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_11 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %93 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %94 = stablehlo.divide %92, %93 : tensor<16x1xf32>
    %95 = stablehlo.broadcast_in_dim %94, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %96 = stablehlo.subtract %90, %95 : tensor<16x96xf32>
    %97 = stablehlo.multiply %96, %96 : tensor<16x96xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %98 = stablehlo.reduce(%97 init: %cst_12) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %99 = stablehlo.broadcast_in_dim %98, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_13 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %101 = stablehlo.divide %99, %100 : tensor<16x1xf32>
    %cst_14 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %103 = stablehlo.add %101, %102 : tensor<16x1xf32>
    %104 = stablehlo.rsqrt %103 : tensor<16x1xf32>
    %105 = stablehlo.broadcast_in_dim %104, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %106 = stablehlo.multiply %96, %105 : tensor<16x96xf32>
    %107 = stablehlo.dot_general %106, %$layer0.query.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %108 = stablehlo.broadcast_in_dim %$layer0.query.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %109 = stablehlo.broadcast_in_dim %108, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %110 = stablehlo.add %107, %109 : tensor<16x96xf32>
    %111 = stablehlo.reshape %110 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %112 = stablehlo.transpose %111, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %113 = stablehlo.reshape %18 : (tensor<12x96xf32>) -> tensor<12x4x24xf32>
    %114 = stablehlo.transpose %113, dims = [1, 2, 0] : (tensor<12x4x24xf32>) -> tensor<4x24x12xf32>
    %115 = stablehlo.reshape %20 : (tensor<12x96xf32>) -> tensor<12x4x24xf32>
    %116 = stablehlo.transpose %115, dims = [1, 0, 2] : (tensor<12x4x24xf32>) -> tensor<4x12x24xf32>
    %117 = stablehlo.dot_general %112, %114, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x24x12xf32>) -> tensor<4x16x12xf32>
    %cst_15 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %118 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x16x12xf32>
    %119 = stablehlo.multiply %117, %118 : tensor<4x16x12xf32>
    %cst_16 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %120 = stablehlo.reduce(%119 init: %cst_16) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x12xf32>, tensor<f32>) -> tensor<4x16xf32>
    %cst_17 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %122 = stablehlo.maximum %121, %120 : tensor<4x16xf32>
    %123 = stablehlo.broadcast_in_dim %122, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %124 = stablehlo.broadcast_in_dim %123, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %125 = stablehlo.subtract %119, %124 : tensor<4x16x12xf32>
    %126 = stablehlo.exponential %125 : tensor<4x16x12xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %127 = stablehlo.reduce(%126 init: %cst_18) applies stablehlo.add across dimensions = [2] : (tensor<4x16x12xf32>, tensor<f32>) -> tensor<4x16xf32>
    %128 = stablehlo.broadcast_in_dim %127, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %129 = stablehlo.broadcast_in_dim %128, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %130 = stablehlo.divide %126, %129 : tensor<4x16x12xf32>
    %131 = stablehlo.dot_general %130, %116, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x12xf32>, tensor<4x12x24xf32>) -> tensor<4x16x24xf32>
    %132 = stablehlo.transpose %131, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %133 = stablehlo.reshape %132 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %134 = stablehlo.dot_general %133, %$layer0.context_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %135 = stablehlo.broadcast_in_dim %$layer0.context_out.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %136 = stablehlo.broadcast_in_dim %135, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %137 = stablehlo.add %134, %136 : tensor<16x96xf32>
    %138 = stablehlo.add %90, %137 : tensor<16x96xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %139 = stablehlo.reduce(%138 init: %cst_19) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %140 = stablehlo.broadcast_in_dim %139, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_20 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %141 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %142 = stablehlo.divide %140, %141 : tensor<16x1xf32>
    %143 = stablehlo.broadcast_in_dim %142, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %144 = stablehlo.subtract %138, %143 : tensor<16x96xf32>
    %145 = stablehlo.multiply %144, %144 : tensor<16x96xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %146 = stablehlo.reduce(%145 init: %cst_21) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %147 = stablehlo.broadcast_in_dim %146, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_22 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %148 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %149 = stablehlo.divide %147, %148 : tensor<16x1xf32>
    %cst_23 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %150 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %151 = stablehlo.add %149, %150 : tensor<16x1xf32>
    %152 = stablehlo.rsqrt %151 : tensor<16x1xf32>
    %153 = stablehlo.broadcast_in_dim %152, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %154 = stablehlo.multiply %144, %153 : tensor<16x96xf32>
    %cst_24 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %155 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<96xf32>
    %156 = stablehlo.add %155, %31 : tensor<96xf32>
    %157 = stablehlo.broadcast_in_dim %156, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %158 = stablehlo.broadcast_in_dim %157, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %159 = stablehlo.multiply %154, %158 : tensor<16x96xf32>
    %160 = stablehlo.broadcast_in_dim %29, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %161 = stablehlo.broadcast_in_dim %160, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %162 = stablehlo.add %159, %161 : tensor<16x96xf32>
    %163 = stablehlo.dot_general %162, %$layer0.up.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x192xf32>) -> tensor<16x192xf32>
    %164 = stablehlo.broadcast_in_dim %$layer0.up.b, dims = [1] : (tensor<192xf32>) -> tensor<1x192xf32>
    %165 = stablehlo.broadcast_in_dim %164, dims = [0, 1] : (tensor<1x192xf32>) -> tensor<16x192xf32>
    %166 = stablehlo.add %163, %165 : tensor<16x192xf32>
    %167 = stablehlo.multiply %166, %166 : tensor<16x192xf32>
    %168 = stablehlo.multiply %167, %166 : tensor<16x192xf32>
    %cst_25 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %169 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %170 = stablehlo.multiply %169, %168 : tensor<16x192xf32>
    %171 = stablehlo.add %166, %170 : tensor<16x192xf32>
    %cst_26 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %172 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %173 = stablehlo.multiply %172, %171 : tensor<16x192xf32>
    %174 = stablehlo.tanh %173 : tensor<16x192xf32>
    %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %175 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %176 = stablehlo.add %175, %174 : tensor<16x192xf32>
    %cst_28 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %177 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %178 = stablehlo.multiply %177, %176 : tensor<16x192xf32>
    %179 = stablehlo.multiply %166, %178 : tensor<16x192xf32>
    %180 = stablehlo.dot_general %179, %$layer0.down.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x192xf32>, tensor<192x96xf32>) -> tensor<16x96xf32>
    %181 = stablehlo.broadcast_in_dim %$layer0.down.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %182 = stablehlo.broadcast_in_dim %181, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %183 = stablehlo.add %180, %182 : tensor<16x96xf32>
    %184 = stablehlo.add %138, %183 : tensor<16x96xf32>
    %185 = stablehlo.slice %arg0 [1:2, 0:12, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x12x96xf32>
    %186 = stablehlo.reshape %185 : (tensor<1x12x96xf32>) -> tensor<12x96xf32>
    %187 = stablehlo.slice %arg0 [1:2, 12:24, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x12x96xf32>
    %188 = stablehlo.reshape %187 : (tensor<1x12x96xf32>) -> tensor<12x96xf32>
    %189 = stablehlo.slice %arg0 [1:2, 24:28, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x4x96xf32>
    %190 = stablehlo.reshape %189 : (tensor<1x4x96xf32>) -> tensor<4x96xf32>
    %191 = stablehlo.add %190, %11 : tensor<4x96xf32>
    %192 = stablehlo.slice %191 [0:1, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %193 = stablehlo.reshape %192 : (tensor<1x96xf32>) -> tensor<96xf32>
    %194 = stablehlo.slice %191 [1:2, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %195 = stablehlo.reshape %194 : (tensor<1x96xf32>) -> tensor<96xf32>
    %196 = stablehlo.slice %191 [2:3, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %197 = stablehlo.reshape %196 : (tensor<1x96xf32>) -> tensor<96xf32>
    %198 = stablehlo.slice %191 [3:4, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %199 = stablehlo.reshape %198 : (tensor<1x96xf32>) -> tensor<96xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %200 = stablehlo.reduce(%184 init: %cst_29) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %201 = stablehlo.broadcast_in_dim %200, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_30 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %202 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %203 = stablehlo.divide %201, %202 : tensor<16x1xf32>
    %204 = stablehlo.broadcast_in_dim %203, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %205 = stablehlo.subtract %184, %204 : tensor<16x96xf32>
    %206 = stablehlo.multiply %205, %205 : tensor<16x96xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %207 = stablehlo.reduce(%206 init: %cst_31) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %208 = stablehlo.broadcast_in_dim %207, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_32 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %209 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %210 = stablehlo.divide %208, %209 : tensor<16x1xf32>
    %cst_33 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %211 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %212 = stablehlo.add %210, %211 : tensor<16x1xf32>
    %213 = stablehlo.rsqrt %212 : tensor<16x1xf32>
    %214 = stablehlo.broadcast_in_dim %213, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %215 = stablehlo.multiply %205, %214 : tensor<16x96xf32>
    %cst_34 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %216 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<96xf32>
    %217 = stablehlo.add %216, %195 : tensor<96xf32>
    %218 = stablehlo.broadcast_in_dim %217, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %219 = stablehlo.broadcast_in_dim %218, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %220 = stablehlo.multiply %215, %219 : tensor<16x96xf32>
    %221 = stablehlo.broadcast_in_dim %193, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %222 = stablehlo.broadcast_in_dim %221, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %223 = stablehlo.add %220, %222 : tensor<16x96xf32>
    %224 = stablehlo.dot_general %223, %$layer1.self.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x288xf32>) -> tensor<16x288xf32>
    %225 = stablehlo.broadcast_in_dim %$layer1.self.b, dims = [1] : (tensor<288xf32>) -> tensor<1x288xf32>
    %226 = stablehlo.broadcast_in_dim %225, dims = [0, 1] : (tensor<1x288xf32>) -> tensor<16x288xf32>
    %227 = stablehlo.add %224, %226 : tensor<16x288xf32>
    %228 = stablehlo.slice %227 [0:16, 0:96] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %229 = stablehlo.slice %227 [0:16, 96:192] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %230 = stablehlo.slice %227 [0:16, 192:288] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %231 = stablehlo.reshape %228 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %232 = stablehlo.transpose %231, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %233 = stablehlo.reshape %229 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %234 = stablehlo.transpose %233, dims = [1, 2, 0] : (tensor<16x4x24xf32>) -> tensor<4x24x16xf32>
    %235 = stablehlo.reshape %230 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %236 = stablehlo.transpose %235, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %237 = stablehlo.dot_general %232, %234, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x24x16xf32>) -> tensor<4x16x16xf32>
    %cst_35 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %238 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %239 = stablehlo.multiply %237, %238 : tensor<4x16x16xf32>
    %cst_36 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %240 = stablehlo.reduce(%239 init: %cst_36) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %cst_37 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %241 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %242 = stablehlo.maximum %241, %240 : tensor<4x16xf32>
    %243 = stablehlo.broadcast_in_dim %242, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %244 = stablehlo.broadcast_in_dim %243, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %245 = stablehlo.subtract %239, %244 : tensor<4x16x16xf32>
    %246 = stablehlo.exponential %245 : tensor<4x16x16xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %247 = stablehlo.reduce(%246 init: %cst_38) applies stablehlo.add across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %248 = stablehlo.broadcast_in_dim %247, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %249 = stablehlo.broadcast_in_dim %248, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %250 = stablehlo.divide %246, %249 : tensor<4x16x16xf32>
    %251 = stablehlo.dot_general %250, %236, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x16xf32>, tensor<4x16x24xf32>) -> tensor<4x16x24xf32>
    %252 = stablehlo.transpose %251, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %253 = stablehlo.reshape %252 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %254 = stablehlo.dot_general %253, %$layer1.self_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %255 = stablehlo.broadcast_in_dim %$layer1.self_out.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %256 = stablehlo.broadcast_in_dim %255, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %257 = stablehlo.add %254, %256 : tensor<16x96xf32>
    %258 = stablehlo.add %184, %257 : tensor<16x96xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %259 = stablehlo.reduce(%258 init: %cst_39) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %260 = stablehlo.broadcast_in_dim %259, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_40 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %261 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %262 = stablehlo.divide %260, %261 : tensor<16x1xf32>
    %263 = stablehlo.broadcast_in_dim %262, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %264 = stablehlo.subtract %258, %263 : tensor<16x96xf32>
    %265 = stablehlo.multiply %264, %264 : tensor<16x96xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %266 = stablehlo.reduce(%265 init: %cst_41) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %267 = stablehlo.broadcast_in_dim %266, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_42 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %268 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %269 = stablehlo.divide %267, %268 : tensor<16x1xf32>
    %cst_43 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %270 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %271 = stablehlo.add %269, %270 : tensor<16x1xf32>
    %272 = stablehlo.rsqrt %271 : tensor<16x1xf32>
    %273 = stablehlo.broadcast_in_dim %272, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %274 = stablehlo.multiply %264, %273 : tensor<16x96xf32>
    %275 = stablehlo.dot_general %274, %$layer1.query.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %276 = stablehlo.broadcast_in_dim %$layer1.query.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %277 = stablehlo.broadcast_in_dim %276, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %278 = stablehlo.add %275, %277 : tensor<16x96xf32>
    %279 = stablehlo.reshape %278 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %280 = stablehlo.transpose %279, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %281 = stablehlo.reshape %186 : (tensor<12x96xf32>) -> tensor<12x4x24xf32>
    %282 = stablehlo.transpose %281, dims = [1, 2, 0] : (tensor<12x4x24xf32>) -> tensor<4x24x12xf32>
    %283 = stablehlo.reshape %188 : (tensor<12x96xf32>) -> tensor<12x4x24xf32>
    %284 = stablehlo.transpose %283, dims = [1, 0, 2] : (tensor<12x4x24xf32>) -> tensor<4x12x24xf32>
    %285 = stablehlo.dot_general %280, %282, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x24x12xf32>) -> tensor<4x16x12xf32>
    %cst_44 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %286 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<4x16x12xf32>
    %287 = stablehlo.multiply %285, %286 : tensor<4x16x12xf32>
    %cst_45 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %288 = stablehlo.reduce(%287 init: %cst_45) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x12xf32>, tensor<f32>) -> tensor<4x16xf32>
    %cst_46 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %289 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %290 = stablehlo.maximum %289, %288 : tensor<4x16xf32>
    %291 = stablehlo.broadcast_in_dim %290, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %292 = stablehlo.broadcast_in_dim %291, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %293 = stablehlo.subtract %287, %292 : tensor<4x16x12xf32>
    %294 = stablehlo.exponential %293 : tensor<4x16x12xf32>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %295 = stablehlo.reduce(%294 init: %cst_47) applies stablehlo.add across dimensions = [2] : (tensor<4x16x12xf32>, tensor<f32>) -> tensor<4x16xf32>
    %296 = stablehlo.broadcast_in_dim %295, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %297 = stablehlo.broadcast_in_dim %296, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %298 = stablehlo.divide %294, %297 : tensor<4x16x12xf32>
    %299 = stablehlo.dot_general %298, %284, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x12xf32>, tensor<4x12x24xf32>) -> tensor<4x16x24xf32>
    %300 = stablehlo.transpose %299, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %301 = stablehlo.reshape %300 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %302 = stablehlo.dot_general %301, %$layer1.context_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %303 = stablehlo.broadcast_in_dim %$layer1.context_out.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %304 = stablehlo.broadcast_in_dim %303, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %305 = stablehlo.add %302, %304 : tensor<16x96xf32>
    %306 = stablehlo.add %258, %305 : tensor<16x96xf32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %307 = stablehlo.reduce(%306 init: %cst_48) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %308 = stablehlo.broadcast_in_dim %307, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_49 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %309 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %310 = stablehlo.divide %308, %309 : tensor<16x1xf32>
    %311 = stablehlo.broadcast_in_dim %310, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %312 = stablehlo.subtract %306, %311 : tensor<16x96xf32>
    %313 = stablehlo.multiply %312, %312 : tensor<16x96xf32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %314 = stablehlo.reduce(%313 init: %cst_50) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %315 = stablehlo.broadcast_in_dim %314, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_51 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %316 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %317 = stablehlo.divide %315, %316 : tensor<16x1xf32>
    %cst_52 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %318 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %319 = stablehlo.add %317, %318 : tensor<16x1xf32>
    %320 = stablehlo.rsqrt %319 : tensor<16x1xf32>
    %321 = stablehlo.broadcast_in_dim %320, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %322 = stablehlo.multiply %312, %321 : tensor<16x96xf32>
    %cst_53 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %323 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<96xf32>
    %324 = stablehlo.add %323, %199 : tensor<96xf32>
    %325 = stablehlo.broadcast_in_dim %324, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %326 = stablehlo.broadcast_in_dim %325, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %327 = stablehlo.multiply %322, %326 : tensor<16x96xf32>
    %328 = stablehlo.broadcast_in_dim %197, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %329 = stablehlo.broadcast_in_dim %328, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %330 = stablehlo.add %327, %329 : tensor<16x96xf32>
    %331 = stablehlo.dot_general %330, %$layer1.up.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x192xf32>) -> tensor<16x192xf32>
    %332 = stablehlo.broadcast_in_dim %$layer1.up.b, dims = [1] : (tensor<192xf32>) -> tensor<1x192xf32>
    %333 = stablehlo.broadcast_in_dim %332, dims = [0, 1] : (tensor<1x192xf32>) -> tensor<16x192xf32>
    %334 = stablehlo.add %331, %333 : tensor<16x192xf32>
    %335 = stablehlo.multiply %334, %334 : tensor<16x192xf32>
    %336 = stablehlo.multiply %335, %334 : tensor<16x192xf32>
    %cst_54 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %337 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %338 = stablehlo.multiply %337, %336 : tensor<16x192xf32>
    %339 = stablehlo.add %334, %338 : tensor<16x192xf32>
    %cst_55 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %340 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %341 = stablehlo.multiply %340, %339 : tensor<16x192xf32>
    %342 = stablehlo.tanh %341 : tensor<16x192xf32>
    %cst_56 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %343 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %344 = stablehlo.add %343, %342 : tensor<16x192xf32>
    %cst_57 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %345 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %346 = stablehlo.multiply %345, %344 : tensor<16x192xf32>
    %347 = stablehlo.multiply %334, %346 : tensor<16x192xf32>
    %348 = stablehlo.dot_general %347, %$layer1.down.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x192xf32>, tensor<192x96xf32>) -> tensor<16x96xf32>
    %349 = stablehlo.broadcast_in_dim %$layer1.down.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %350 = stablehlo.broadcast_in_dim %349, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %351 = stablehlo.add %348, %350 : tensor<16x96xf32>
    %352 = stablehlo.add %306, %351 : tensor<16x96xf32>
    %353 = stablehlo.slice %arg0 [2:3, 0:12, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x12x96xf32>
    %354 = stablehlo.reshape %353 : (tensor<1x12x96xf32>) -> tensor<12x96xf32>
    %355 = stablehlo.slice %arg0 [2:3, 12:24, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x12x96xf32>
    %356 = stablehlo.reshape %355 : (tensor<1x12x96xf32>) -> tensor<12x96xf32>
    %357 = stablehlo.slice %arg0 [2:3, 24:28, 0:96] : (tensor<3x28x96xf32>) -> tensor<1x4x96xf32>
    %358 = stablehlo.reshape %357 : (tensor<1x4x96xf32>) -> tensor<4x96xf32>
    %359 = stablehlo.add %358, %11 : tensor<4x96xf32>
    %360 = stablehlo.slice %359 [0:1, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %361 = stablehlo.reshape %360 : (tensor<1x96xf32>) -> tensor<96xf32>
    %362 = stablehlo.slice %359 [1:2, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %363 = stablehlo.reshape %362 : (tensor<1x96xf32>) -> tensor<96xf32>
    %364 = stablehlo.slice %359 [2:3, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %365 = stablehlo.reshape %364 : (tensor<1x96xf32>) -> tensor<96xf32>
    %366 = stablehlo.slice %359 [3:4, 0:96] : (tensor<4x96xf32>) -> tensor<1x96xf32>
    %367 = stablehlo.reshape %366 : (tensor<1x96xf32>) -> tensor<96xf32>
    %cst_58 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %368 = stablehlo.reduce(%352 init: %cst_58) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %369 = stablehlo.broadcast_in_dim %368, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_59 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %370 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %371 = stablehlo.divide %369, %370 : tensor<16x1xf32>
    %372 = stablehlo.broadcast_in_dim %371, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %373 = stablehlo.subtract %352, %372 : tensor<16x96xf32>
    %374 = stablehlo.multiply %373, %373 : tensor<16x96xf32>
    %cst_60 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %375 = stablehlo.reduce(%374 init: %cst_60) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %376 = stablehlo.broadcast_in_dim %375, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_61 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %377 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %378 = stablehlo.divide %376, %377 : tensor<16x1xf32>
    %cst_62 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %379 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %380 = stablehlo.add %378, %379 : tensor<16x1xf32>
    %381 = stablehlo.rsqrt %380 : tensor<16x1xf32>
    %382 = stablehlo.broadcast_in_dim %381, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %383 = stablehlo.multiply %373, %382 : tensor<16x96xf32>
    %cst_63 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %384 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<96xf32>
    %385 = stablehlo.add %384, %363 : tensor<96xf32>
    %386 = stablehlo.broadcast_in_dim %385, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %387 = stablehlo.broadcast_in_dim %386, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %388 = stablehlo.multiply %383, %387 : tensor<16x96xf32>
    %389 = stablehlo.broadcast_in_dim %361, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %390 = stablehlo.broadcast_in_dim %389, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %391 = stablehlo.add %388, %390 : tensor<16x96xf32>
    %392 = stablehlo.dot_general %391, %$layer2.self.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x288xf32>) -> tensor<16x288xf32>
    %393 = stablehlo.broadcast_in_dim %$layer2.self.b, dims = [1] : (tensor<288xf32>) -> tensor<1x288xf32>
    %394 = stablehlo.broadcast_in_dim %393, dims = [0, 1] : (tensor<1x288xf32>) -> tensor<16x288xf32>
    %395 = stablehlo.add %392, %394 : tensor<16x288xf32>
    %396 = stablehlo.slice %395 [0:16, 0:96] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %397 = stablehlo.slice %395 [0:16, 96:192] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %398 = stablehlo.slice %395 [0:16, 192:288] : (tensor<16x288xf32>) -> tensor<16x96xf32>
    %399 = stablehlo.reshape %396 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %400 = stablehlo.transpose %399, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %401 = stablehlo.reshape %397 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %402 = stablehlo.transpose %401, dims = [1, 2, 0] : (tensor<16x4x24xf32>) -> tensor<4x24x16xf32>
    %403 = stablehlo.reshape %398 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %404 = stablehlo.transpose %403, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %405 = stablehlo.dot_general %400, %402, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x24x16xf32>) -> tensor<4x16x16xf32>
    %cst_64 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %406 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %407 = stablehlo.multiply %405, %406 : tensor<4x16x16xf32>
    %cst_65 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %408 = stablehlo.reduce(%407 init: %cst_65) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %cst_66 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %409 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %410 = stablehlo.maximum %409, %408 : tensor<4x16xf32>
    %411 = stablehlo.broadcast_in_dim %410, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %412 = stablehlo.broadcast_in_dim %411, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %413 = stablehlo.subtract %407, %412 : tensor<4x16x16xf32>
    %414 = stablehlo.exponential %413 : tensor<4x16x16xf32>
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %415 = stablehlo.reduce(%414 init: %cst_67) applies stablehlo.add across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %416 = stablehlo.broadcast_in_dim %415, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %417 = stablehlo.broadcast_in_dim %416, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %418 = stablehlo.divide %414, %417 : tensor<4x16x16xf32>
    %419 = stablehlo.dot_general %418, %404, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x16xf32>, tensor<4x16x24xf32>) -> tensor<4x16x24xf32>
    %420 = stablehlo.transpose %419, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %421 = stablehlo.reshape %420 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %422 = stablehlo.dot_general %421, %$layer2.self_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %423 = stablehlo.broadcast_in_dim %$layer2.self_out.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %424 = stablehlo.broadcast_in_dim %423, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %425 = stablehlo.add %422, %424 : tensor<16x96xf32>
    %426 = stablehlo.add %352, %425 : tensor<16x96xf32>
    %cst_68 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %427 = stablehlo.reduce(%426 init: %cst_68) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %428 = stablehlo.broadcast_in_dim %427, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_69 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %429 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %430 = stablehlo.divide %428, %429 : tensor<16x1xf32>
    %431 = stablehlo.broadcast_in_dim %430, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %432 = stablehlo.subtract %426, %431 : tensor<16x96xf32>
    %433 = stablehlo.multiply %432, %432 : tensor<16x96xf32>
    %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %434 = stablehlo.reduce(%433 init: %cst_70) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %435 = stablehlo.broadcast_in_dim %434, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_71 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %436 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %437 = stablehlo.divide %435, %436 : tensor<16x1xf32>
    %cst_72 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %438 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %439 = stablehlo.add %437, %438 : tensor<16x1xf32>
    %440 = stablehlo.rsqrt %439 : tensor<16x1xf32>
    %441 = stablehlo.broadcast_in_dim %440, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %442 = stablehlo.multiply %432, %441 : tensor<16x96xf32>
    %443 = stablehlo.dot_general %442, %$layer2.query.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %444 = stablehlo.broadcast_in_dim %$layer2.query.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %445 = stablehlo.broadcast_in_dim %444, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %446 = stablehlo.add %443, %445 : tensor<16x96xf32>
    %447 = stablehlo.reshape %446 : (tensor<16x96xf32>) -> tensor<16x4x24xf32>
    %448 = stablehlo.transpose %447, dims = [1, 0, 2] : (tensor<16x4x24xf32>) -> tensor<4x16x24xf32>
    %449 = stablehlo.reshape %354 : (tensor<12x96xf32>) -> tensor<12x4x24xf32>
    %450 = stablehlo.transpose %449, dims = [1, 2, 0] : (tensor<12x4x24xf32>) -> tensor<4x24x12xf32>
    %451 = stablehlo.reshape %356 : (tensor<12x96xf32>) -> tensor<12x4x24xf32>
    %452 = stablehlo.transpose %451, dims = [1, 0, 2] : (tensor<12x4x24xf32>) -> tensor<4x12x24xf32>
    %453 = stablehlo.dot_general %448, %450, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x24xf32>, tensor<4x24x12xf32>) -> tensor<4x16x12xf32>
    %cst_73 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %454 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<4x16x12xf32>
    %455 = stablehlo.multiply %453, %454 : tensor<4x16x12xf32>
    %cst_74 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %456 = stablehlo.reduce(%455 init: %cst_74) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x12xf32>, tensor<f32>) -> tensor<4x16xf32>
    %cst_75 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %457 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %458 = stablehlo.maximum %457, %456 : tensor<4x16xf32>
    %459 = stablehlo.broadcast_in_dim %458, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %460 = stablehlo.broadcast_in_dim %459, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %461 = stablehlo.subtract %455, %460 : tensor<4x16x12xf32>
    %462 = stablehlo.exponential %461 : tensor<4x16x12xf32>
    %cst_76 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %463 = stablehlo.reduce(%462 init: %cst_76) applies stablehlo.add across dimensions = [2] : (tensor<4x16x12xf32>, tensor<f32>) -> tensor<4x16xf32>
    %464 = stablehlo.broadcast_in_dim %463, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %465 = stablehlo.broadcast_in_dim %464, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x12xf32>
    %466 = stablehlo.divide %462, %465 : tensor<4x16x12xf32>
    %467 = stablehlo.dot_general %466, %452, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x12xf32>, tensor<4x12x24xf32>) -> tensor<4x16x24xf32>
    %468 = stablehlo.transpose %467, dims = [1, 0, 2] : (tensor<4x16x24xf32>) -> tensor<16x4x24xf32>
    %469 = stablehlo.reshape %468 : (tensor<16x4x24xf32>) -> tensor<16x96xf32>
    %470 = stablehlo.dot_general %469, %$layer2.context_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x96xf32>) -> tensor<16x96xf32>
    %471 = stablehlo.broadcast_in_dim %$layer2.context_out.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %472 = stablehlo.broadcast_in_dim %471, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %473 = stablehlo.add %470, %472 : tensor<16x96xf32>
    %474 = stablehlo.add %426, %473 : tensor<16x96xf32>
    %cst_77 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %475 = stablehlo.reduce(%474 init: %cst_77) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %476 = stablehlo.broadcast_in_dim %475, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_78 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %477 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %478 = stablehlo.divide %476, %477 : tensor<16x1xf32>
    %479 = stablehlo.broadcast_in_dim %478, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %480 = stablehlo.subtract %474, %479 : tensor<16x96xf32>
    %481 = stablehlo.multiply %480, %480 : tensor<16x96xf32>
    %cst_79 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %482 = stablehlo.reduce(%481 init: %cst_79) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %483 = stablehlo.broadcast_in_dim %482, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_80 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %484 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %485 = stablehlo.divide %483, %484 : tensor<16x1xf32>
    %cst_81 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %486 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %487 = stablehlo.add %485, %486 : tensor<16x1xf32>
    %488 = stablehlo.rsqrt %487 : tensor<16x1xf32>
    %489 = stablehlo.broadcast_in_dim %488, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %490 = stablehlo.multiply %480, %489 : tensor<16x96xf32>
    %cst_82 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %491 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<96xf32>
    %492 = stablehlo.add %491, %367 : tensor<96xf32>
    %493 = stablehlo.broadcast_in_dim %492, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %494 = stablehlo.broadcast_in_dim %493, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %495 = stablehlo.multiply %490, %494 : tensor<16x96xf32>
    %496 = stablehlo.broadcast_in_dim %365, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %497 = stablehlo.broadcast_in_dim %496, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %498 = stablehlo.add %495, %497 : tensor<16x96xf32>
    %499 = stablehlo.dot_general %498, %$layer2.up.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x192xf32>) -> tensor<16x192xf32>
    %500 = stablehlo.broadcast_in_dim %$layer2.up.b, dims = [1] : (tensor<192xf32>) -> tensor<1x192xf32>
    %501 = stablehlo.broadcast_in_dim %500, dims = [0, 1] : (tensor<1x192xf32>) -> tensor<16x192xf32>
    %502 = stablehlo.add %499, %501 : tensor<16x192xf32>
    %503 = stablehlo.multiply %502, %502 : tensor<16x192xf32>
    %504 = stablehlo.multiply %503, %502 : tensor<16x192xf32>
    %cst_83 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %505 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %506 = stablehlo.multiply %505, %504 : tensor<16x192xf32>
    %507 = stablehlo.add %502, %506 : tensor<16x192xf32>
    %cst_84 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %508 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %509 = stablehlo.multiply %508, %507 : tensor<16x192xf32>
    %510 = stablehlo.tanh %509 : tensor<16x192xf32>
    %cst_85 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %511 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %512 = stablehlo.add %511, %510 : tensor<16x192xf32>
    %cst_86 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %513 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<16x192xf32>
    %514 = stablehlo.multiply %513, %512 : tensor<16x192xf32>
    %515 = stablehlo.multiply %502, %514 : tensor<16x192xf32>
    %516 = stablehlo.dot_general %515, %$layer2.down.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x192xf32>, tensor<192x96xf32>) -> tensor<16x96xf32>
    %517 = stablehlo.broadcast_in_dim %$layer2.down.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %518 = stablehlo.broadcast_in_dim %517, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<16x96xf32>
    %519 = stablehlo.add %516, %518 : tensor<16x96xf32>
    %520 = stablehlo.add %474, %519 : tensor<16x96xf32>
    %cst_87 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %521 = stablehlo.reduce(%520 init: %cst_87) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %522 = stablehlo.broadcast_in_dim %521, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_88 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %523 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %524 = stablehlo.divide %522, %523 : tensor<16x1xf32>
    %525 = stablehlo.broadcast_in_dim %524, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %526 = stablehlo.subtract %520, %525 : tensor<16x96xf32>
    %527 = stablehlo.multiply %526, %526 : tensor<16x96xf32>
    %cst_89 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %528 = stablehlo.reduce(%527 init: %cst_89) applies stablehlo.add across dimensions = [1] : (tensor<16x96xf32>, tensor<f32>) -> tensor<16xf32>
    %529 = stablehlo.broadcast_in_dim %528, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_90 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %530 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %531 = stablehlo.divide %529, %530 : tensor<16x1xf32>
    %cst_91 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %532 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %533 = stablehlo.add %531, %532 : tensor<16x1xf32>
    %534 = stablehlo.rsqrt %533 : tensor<16x1xf32>
    %535 = stablehlo.broadcast_in_dim %534, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x96xf32>
    %536 = stablehlo.multiply %526, %535 : tensor<16x96xf32>
    %537 = stablehlo.dot_general %536, %$action_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x96xf32>, tensor<96x4xf32>) -> tensor<16x4xf32>
    %538 = stablehlo.broadcast_in_dim %$action_out.b, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %539 = stablehlo.broadcast_in_dim %538, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<16x4xf32>
    %540 = stablehlo.add %537, %539 : tensor<16x4xf32>
    %541 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
    %542 = stablehlo.multiply %541, %540 : tensor<16x4xf32>
    %543 = stablehlo.add %arg1, %542 : tensor<16x4xf32>
    %544 = stablehlo.add %arg2, %arg3 : tensor<f32>
    return %543, %544 : tensor<16x4xf32>, tensor<f32>
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
