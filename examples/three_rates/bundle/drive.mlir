module {
  util.global private @"$change" = #flow.parameter.named<"model"::"change"> : tensor<1xf32>
  util.global private @"$lead" = #flow.parameter.named<"model"::"lead"> : tensor<1xf32>
  util.global private @"$mix" = #flow.parameter.named<"model"::"mix"> : tensor<2x2xf32>
  func.func public @drive(%arg0: tensor<2xf32>, %arg1: tensor<10xf32>, %arg2: tensor<5x4xf32>, %arg3: tensor<5x4xf32> {iree.abi.output = 0 : index}, %arg4: !hal.buffer {iree.abi.transients}) -> tensor<5x4xf32> attributes {iree.reflection = {polyrhythm.inputs = "command,proprio,previous", polyrhythm.outputs = "targets"}} {
    %0:3 = util.optimization_barrier %arg0, %arg1, %arg2 : tensor<2xf32>, tensor<10xf32>, tensor<5x4xf32>
    %$change = util.global.load @"$change" : tensor<1xf32>
    %$lead = util.global.load @"$lead" : tensor<1xf32>
    %$mix = util.global.load @"$mix" : tensor<2x2xf32>
    %1 = stablehlo.slice %arg2 [0:1, 0:4] : (tensor<5x4xf32>) -> tensor<1x4xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x4xf32>) -> tensor<4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %4 = stablehlo.compare NE, %2, %3, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.reduce(%4 init: %c) applies stablehlo.or across dimensions = [0] : (tensor<4xi1>, tensor<i1>) -> tensor<i1>
    %6 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<i1>) -> tensor<4xi1>
    %7 = stablehlo.slice %arg2 [0:1, 0:4] : (tensor<5x4xf32>) -> tensor<1x4xf32>
    %8 = stablehlo.reshape %7 : (tensor<1x4xf32>) -> tensor<4xf32>
    %9 = stablehlo.slice %arg1 [0:4] : (tensor<10xf32>) -> tensor<4xf32>
    %10 = call @drive$_where(%6, %8, %9) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %11 = stablehlo.slice %10 [0:2] : (tensor<4xf32>) -> tensor<2xf32>
    %12 = stablehlo.slice %10 [2:4] : (tensor<4xf32>) -> tensor<2xf32>
    %13 = stablehlo.slice %arg1 [4:6] : (tensor<10xf32>) -> tensor<2xf32>
    %14 = stablehlo.dot_general %$mix, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %15 = stablehlo.iota dim = 0 : tensor<5xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0] : (tensor<5xf32>) -> tensor<5x1xf32>
    %cst_0 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %18 = stablehlo.multiply %$change, %17 : tensor<1xf32>
    %19 = stablehlo.subtract %14, %12 : tensor<2xf32>
    %20 = stablehlo.negate %18 : tensor<1xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [1] : (tensor<1xf32>) -> tensor<1x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<5x1xf32>
    %23 = stablehlo.multiply %22, %16 : tensor<5x1xf32>
    %24 = stablehlo.broadcast_in_dim %18, dims = [1] : (tensor<1xf32>) -> tensor<1x1xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<5x1xf32>
    %26 = stablehlo.multiply %25, %16 : tensor<5x1xf32>
    %27 = call @drive$clip(%19, %23, %26) : (tensor<2xf32>, tensor<5x1xf32>, tensor<5x1xf32>) -> tensor<5x2xf32>
    %28 = stablehlo.broadcast_in_dim %12, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<5x2xf32>
    %30 = stablehlo.add %29, %27 : tensor<5x2xf32>
    %31 = stablehlo.subtract %11, %13 : tensor<2xf32>
    %32 = stablehlo.negate %$lead : tensor<1xf32>
    %33 = call @drive$clip_0(%31, %32, %$lead) : (tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %34 = stablehlo.add %13, %33 : tensor<2xf32>
    %35 = call @drive$cumsum(%30) : (tensor<5x2xf32>) -> tensor<5x2xf32>
    %36 = stablehlo.subtract %35, %30 : tensor<5x2xf32>
    %cst_1 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<5x2xf32>
    %38 = stablehlo.multiply %36, %37 : tensor<5x2xf32>
    %39 = stablehlo.broadcast_in_dim %34, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<5x2xf32>
    %41 = stablehlo.add %40, %38 : tensor<5x2xf32>
    %42 = stablehlo.concatenate %41, %30, dim = 1 : (tensor<5x2xf32>, tensor<5x2xf32>) -> tensor<5x4xf32>
    return %42 : tensor<5x4xf32>
  }
  func.func private @drive$_where(%arg0: tensor<4xi1>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<4xi1>, tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func private @drive$clip(%arg0: tensor<2xf32>, %arg1: tensor<5x1xf32>, %arg2: tensor<5x1xf32>) -> tensor<5x2xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x2xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<5x2xf32>
    %3 = stablehlo.maximum %1, %2 : tensor<5x2xf32>
    %4 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x2xf32>
    %5 = stablehlo.minimum %4, %3 : tensor<5x2xf32>
    return %5 : tensor<5x2xf32>
  }
  func.func private @drive$clip_0(%arg0: tensor<2xf32>, %arg1: tensor<1xf32>, %arg2: tensor<1xf32>) -> tensor<2xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<1xf32>) -> tensor<2xf32>
    %1 = stablehlo.maximum %0, %arg0 : tensor<2xf32>
    %2 = stablehlo.broadcast_in_dim %arg2, dims = [0] : (tensor<1xf32>) -> tensor<2xf32>
    %3 = stablehlo.minimum %2, %1 : tensor<2xf32>
    return %3 : tensor<2xf32>
  }
  func.func private @drive$cumsum(%arg0: tensor<5x2xf32>) -> tensor<5x2xf32> {
    %0 = call @drive$cumsum_1(%arg0) : (tensor<5x2xf32>) -> tensor<5x2xf32>
    return %0 : tensor<5x2xf32>
  }
  func.func private @drive$cumsum_1(%arg0: tensor<5x2xf32>) -> tensor<5x2xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[4, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 5, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<5x2xf32>, tensor<f32>) -> tensor<5x2xf32>
    return %1 : tensor<5x2xf32>
  }
}
