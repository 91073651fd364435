"""The *Evidence* page: how right the model is, point by point, and every figure it rests on."""
