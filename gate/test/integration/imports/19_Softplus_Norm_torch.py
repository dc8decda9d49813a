# SPDX-License-Identifier: Apache-2.0
import torch
import torch.nn as nn

batch_size = 128
in_features = 1024
hidden_size = 512


class Model(nn.Module):
    """A linear layer, softplus and a norm: needs PyTorch, has weights and sizes of its own."""

    def __init__(self, in_features, hidden_size):
        super().__init__()
        self.linear = nn.Linear(in_features, hidden_size)

    def forward(self, x):
        z = nn.functional.softplus(self.linear(x))
        return z / z.norm(dim=1, keepdim=True)


def get_inputs():
    return [torch.rand(batch_size, in_features)]


def get_init_inputs():
    return [in_features, hidden_size]
