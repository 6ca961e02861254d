module {
  util.global private @"$bearing" = #flow.parameter.named<"model"::"bearing"> : tensor<24xf32>
  util.global private @"$limits" = #flow.parameter.named<"model"::"limits"> : tensor<2xf32>
  util.global private @"$rows" = #flow.parameter.named<"model"::"rows"> : tensor<24xf32>
  util.global private @"$wants" = #flow.parameter.named<"model"::"wants"> : tensor<3x3xf32>
  func.func public @follow(%arg0: tensor<24x24xf32>, %arg1: tensor<1xi32>, %arg2: tensor<2xf32> {iree.abi.output = 0 : index}, %arg3: !hal.buffer {iree.abi.transients}) -> tensor<2xf32> attributes {iree.reflection = {polyrhythm.inputs = "depth,instruction", polyrhythm.outputs = "command"}} {
    %0:2 = util.optimization_barrier %arg0, %arg1 : tensor<24x24xf32>, tensor<1xi32>
    %$bearing = util.global.load @"$bearing" : tensor<24xf32>
    %$limits = util.global.load @"$limits" : tensor<2xf32>
    %$rows = util.global.load @"$rows" : tensor<24xf32>
    %$wants = util.global.load @"$wants" : tensor<3x3xf32>
    %1 = stablehlo.dot_general %$rows, %arg0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24xf32>, tensor<24x24xf32>) -> tensor<24xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<24xf32>
    %3 = stablehlo.subtract %2, %1 : tensor<24xf32>
    %cst_0 = stablehlo.constant dense<1.200000e+01> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<24xf32>
    %5 = stablehlo.multiply %4, %3 : tensor<24xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_1) applies stablehlo.maximum across dimensions = [0] : (tensor<24xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.maximum %cst_2, %6 : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<1xf32>) -> tensor<24xf32>
    %10 = stablehlo.subtract %5, %9 : tensor<24xf32>
    %11 = stablehlo.exponential %10 : tensor<24xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_3) applies stablehlo.add across dimensions = [0] : (tensor<24xf32>, tensor<f32>) -> tensor<f32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0] : (tensor<1xf32>) -> tensor<24xf32>
    %15 = stablehlo.divide %11, %14 : tensor<24xf32>
    %16 = stablehlo.dot_general %15, %$bearing, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24xf32>, tensor<24xf32>) -> tensor<f32>
    %17 = stablehlo.dot_general %15, %1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24xf32>, tensor<24xf32>) -> tensor<f32>
    %cst_4 = stablehlo.constant dense<2.900000e+00> : tensor<f32>
    %18 = stablehlo.multiply %17, %cst_4 : tensor<f32>
    %cst_5 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %19 = stablehlo.add %18, %cst_5 : tensor<f32>
    %cst_6 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %20 = stablehlo.reduce(%1 init: %cst_6) applies stablehlo.minimum across dimensions = [0] : (tensor<24xf32>, tensor<f32>) -> tensor<f32>
    %cst_7 = stablehlo.constant dense<9.800000e-01> : tensor<f32>
    %21 = stablehlo.subtract %cst_7, %20 : tensor<f32>
    %cst_8 = stablehlo.constant dense<1.000000e+01> : tensor<f32>
    %22 = stablehlo.multiply %cst_8, %21 : tensor<f32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %23 = call @follow$clip(%22, %cst_9, %cst_10) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %24 = stablehlo.reshape %arg1 : (tensor<1xi32>) -> tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %25 = stablehlo.compare LT, %24, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_11 = stablehlo.constant dense<3> : tensor<i32>
    %26 = stablehlo.add %24, %c_11 : tensor<i32>
    %27 = stablehlo.select %25, %26, %24 : tensor<i1>, tensor<i32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %28 = stablehlo.compare LT, %c_12, %c_13, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %c_15 = stablehlo.constant dense<3> : tensor<i32>
    %29 = stablehlo.add %c_14, %c_15 : tensor<i32>
    %c_16 = stablehlo.constant dense<0> : tensor<i32>
    %30 = stablehlo.select %28, %29, %c_16 : tensor<i1>, tensor<i32>
    %31 = stablehlo.dynamic_slice %$wants, %27, %30, sizes = [1, 3] : (tensor<3x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x3xf32>
    %32 = stablehlo.reshape %31 : (tensor<1x3xf32>) -> tensor<3xf32>
    %33 = stablehlo.slice %32 [0:1] : (tensor<3xf32>) -> tensor<1xf32>
    %34 = stablehlo.reshape %33 : (tensor<1xf32>) -> tensor<f32>
    %35 = stablehlo.slice %32 [1:2] : (tensor<3xf32>) -> tensor<1xf32>
    %36 = stablehlo.reshape %35 : (tensor<1xf32>) -> tensor<f32>
    %37 = stablehlo.slice %32 [2:3] : (tensor<3xf32>) -> tensor<1xf32>
    %38 = stablehlo.reshape %37 : (tensor<1xf32>) -> tensor<f32>
    %39 = stablehlo.subtract %19, %36 : tensor<f32>
    %40 = stablehlo.multiply %34, %39 : tensor<f32>
    %41 = stablehlo.multiply %38, %16 : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %40, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %43 = stablehlo.broadcast_in_dim %41, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %44 = stablehlo.concatenate %42, %43, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %45 = stablehlo.negate %$limits : tensor<2xf32>
    %46 = call @follow$clip_0(%44, %45, %$limits) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %47 = stablehlo.broadcast_in_dim %23, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %48 = stablehlo.multiply %47, %46 : tensor<2xf32>
    return %48 : tensor<2xf32>
  }
  func.func private @follow$clip(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.maximum %0, %arg0 : tensor<f32>
    %2 = stablehlo.convert %arg2 : tensor<f32>
    %3 = stablehlo.minimum %2, %1 : tensor<f32>
    return %3 : tensor<f32>
  }
  func.func private @follow$clip_0(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>, %arg2: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.maximum %arg1, %arg0 : tensor<2xf32>
    %1 = stablehlo.minimum %arg2, %0 : tensor<2xf32>
    return %1 : tensor<2xf32>
  }
}
