module {
  util.global private @"$b" = #flow.parameter.named<"model"::"b"> : tensor<16xf32>
  util.global private @"$w" = #flow.parameter.named<"model"::"w"> : tensor<32x16xf32>
  func.func public @see(%arg0: tensor<32xf32>, %arg1: tensor<16xf32> {iree.abi.output = 0 : index}, %arg2: !hal.buffer {iree.abi.transients}) -> tensor<16xf32> attributes {iree.reflection = {polyrhythm.inputs = "scene", polyrhythm.outputs = "hidden"}} {
    %0 = util.optimization_barrier %arg0 : tensor<32xf32>
    %$b = util.global.load @"$b" : tensor<16xf32>
    %$w = util.global.load @"$w" : tensor<32x16xf32>
    %1 = stablehlo.dot_general %arg0, %$w, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32xf32>, tensor<32x16xf32>) -> tensor<16xf32>
    %2 = stablehlo.add %1, %$b : tensor<16xf32>
    %3 = call @see$relu(%2) : (tensor<16xf32>) -> tensor<16xf32>
    return %3 : tensor<16xf32>
  }
  func.func private @see$relu(%arg0: tensor<16xf32>) -> tensor<16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<16xf32>
    return %1 : tensor<16xf32>
  }
}
