// Stand-ins with the names of the specification's manifest.
module @vlm {
func.func @main(%seed: tensor<4xf32>, %hidden: tensor<8x4xf32> {iree.abi.output = 0 : index}) -> tensor<8x4xf32> {
  %empty = tensor.empty() : tensor<8x4xf32>
  %0 = linalg.broadcast ins(%seed : tensor<4xf32>) outs(%empty : tensor<8x4xf32>) dimensions = [0]
  return %0 : tensor<8x4xf32>
}
}
