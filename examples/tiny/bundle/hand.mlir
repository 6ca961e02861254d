module {
  util.global private @"$b" = #flow.parameter.named<"model"::"b"> : tensor<32xf32>
  util.global private @"$w" = #flow.parameter.named<"model"::"w"> : tensor<24x32xf32>
  func.func public @act(%arg0: tensor<16xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8x4xf32> {iree.abi.output = 0 : index}, %arg3: !hal.buffer {iree.abi.transients}) -> tensor<8x4xf32> attributes {iree.reflection = {polyrhythm.inputs = "hidden,state", polyrhythm.outputs = "actions"}} {
    %0:2 = util.optimization_barrier %arg0, %arg1 : tensor<16xf32>, tensor<8xf32>
    %$b = util.global.load @"$b" : tensor<32xf32>
    %$w = util.global.load @"$w" : tensor<24x32xf32>
    %1 = stablehlo.concatenate %arg0, %arg1, dim = 0 : (tensor<16xf32>, tensor<8xf32>) -> tensor<24xf32>
    %2 = stablehlo.dot_general %1, %$w, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24xf32>, tensor<24x32xf32>) -> tensor<32xf32>
    %3 = stablehlo.add %2, %$b : tensor<32xf32>
    %4 = stablehlo.tanh %3 : tensor<32xf32>
    %5 = stablehlo.reshape %4 : (tensor<32xf32>) -> tensor<8x4xf32>
    return %5 : tensor<8x4xf32>
  }
}
