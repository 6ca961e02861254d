// The entries of the conformance suite as far as a static plan can have them: `twice` does not look at its input to
// fail, and `grind` multiplies a hundred times, whatever `count` says.
module @planned {

util.global private @gain = #stream.parameter.named<"model"::"gain"> : tensor<64xf32>

func.func @add(%a: tensor<64xf32>, %b: tensor<64xf32>,
               %storage: tensor<64xf32> {iree.abi.output = 0 : index},
               %scratch: !hal.buffer {iree.abi.transients}) -> tensor<64xf32> {
  %sum = arith.addf %a, %b : tensor<64xf32>
  return %sum : tensor<64xf32>
}

func.func @two(%x: tensor<64xf32>, %y: tensor<64xf32>,
               %storage0: tensor<64xf32> {iree.abi.output = 0 : index},
               %storage1: tensor<64xf32> {iree.abi.output = 1 : index},
               %scratch: !hal.buffer {iree.abi.transients}) -> (tensor<64xf32>, tensor<64xf32>) {
  %gain = util.global.load @gain : tensor<64xf32>
  %next = flow.dispatch.region -> (tensor<64xf32>) {
    %one = arith.constant dense<1.0> : tensor<64xf32>
    %r = arith.addf %x, %one : tensor<64xf32>
    flow.return %r : tensor<64xf32>
  }
  %common = flow.dispatch.region -> (tensor<64xf32>) {
    %r = arith.mulf %next, %gain : tensor<64xf32>
    flow.return %r : tensor<64xf32>
  }
  %first = flow.dispatch.region -> (tensor<64xf32>) {
    %r = arith.addf %common, %x : tensor<64xf32>
    flow.return %r : tensor<64xf32>
  }
  %second = flow.dispatch.region -> (tensor<64xf32>) {
    %r = arith.addf %common, %y : tensor<64xf32>
    flow.return %r : tensor<64xf32>
  }
  return %first, %second : tensor<64xf32>, tensor<64xf32>
}

func.func @step(%cache: tensor<256x64xf32> {iree.abi.output = 0 : index}, %row: tensor<1x64xf32>,
                %scratch: !hal.buffer {iree.abi.transients}) -> tensor<256x64xf32> {
  %0 = tensor.insert_slice %row into %cache[3, 0] [1, 64] [1, 1] : tensor<1x64xf32> into tensor<256x64xf32>
  return %0 : tensor<256x64xf32>
}

func.func @twice(%x: tensor<i32>, %storage: tensor<i32> {iree.abi.output = 0 : index},
                 %scratch: !hal.buffer {iree.abi.transients}) -> tensor<i32> {
  %r = arith.addi %x, %x : tensor<i32>
  return %r : tensor<i32>
}

func.func @grind(%x: tensor<128x128xf32>, %count: tensor<i32>,
                 %storage: tensor<128x128xf32> {iree.abi.output = 0 : index}) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %f0 = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x128xf32>
  %zero = linalg.fill ins(%f0 : f32) outs(%empty : tensor<128x128xf32>) -> tensor<128x128xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> tensor<128x128xf32> {
    %z = linalg.matmul ins(%x, %y : tensor<128x128xf32>, tensor<128x128xf32>)
                       outs(%zero : tensor<128x128xf32>) -> tensor<128x128xf32>
    scf.yield %z : tensor<128x128xf32>
  }
  return %r : tensor<128x128xf32>
}
}
