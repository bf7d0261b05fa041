"""Export of a trained model to a model folder with an 8-bit ONNX graph."""
