"""Trains efficiently updatable networks (NNUE) for the players of selfplay, and writes them as files.

A network scores a position for the side that decides. Each side has an accumulator of H units: a bias plus one row
of weights for every active feature of its view of the board. A squared clipped ReLU and one linear layer, chosen by
the number of features, make the score. The package engine/nnue of the program computes the same in integers.

    features.py    boards as lists of active features, by the numbers in tables, which the engines write
    model.py       the network in PyTorch; factors share weights between features, and are folded away at the end
    policy.py      legal moves, their parts and their shares in a policy
    bags.py        sums of weight rows, forward and backward
    targets.py     scores and outcomes as one target; losses
    data.py        rows of datasets as batches of features and targets
    training.py    epochs, validation, early stopping
    quantise.py    integer weights, and bounds that exclude overflow
    inference.py   the integer score, in NumPy
    networkfile.py the safetensors file
    export.py      the file and 10,000 positions with their scores, to compare with the program
    fit.py         the command: train one network
"""
