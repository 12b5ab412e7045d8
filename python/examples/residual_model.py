"""A small residual network that learns values and policies, for onnx_model.py. Needs PyTorch and onnx.

    selfplay run --game contrast --games 2000 --player mcts:sims=32,root=gumbel,considered=8 --layout planes \\
        --perspective mover --columns +legal_actions --where '!limit,!unsearched' --out data/gen0
    python residual_model.py data/gen0 net.onnx               # all arguments but the last one are datasets
    selfplay run --game contrast --games 2000 --player mcts:sims=32,root=gumbel,considered=8,eval=mine ... \\
        --evaluator mine='python onnx_model.py play net.onnx' --out data/gen1
"""

import sys

import torch
from residual_net import Net, loss_of

import selfplay

EPOCHS, BATCH = 4, 64  # batch of the player
COLUMNS = ["board", "outcome", "legal_actions", "policy_action", "policy_weight"]


def learn(data: list[str], path: str) -> None:
    sets = [selfplay.open(d) for d in data]
    files, columns = [f for s in sets for f in s.files("train")], [sets[0].columns[c] for c in COLUMNS]
    batches = selfplay.Batches(files, sets[0].open_file, columns, 256, shuffle=True)
    net = Net(sets[0].game)
    optimizer = torch.optim.AdamW(net.parameters(), weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.005, EPOCHS * len(batches))
    for epoch in range(EPOCHS):
        for rows in batches:
            loss = loss_of(net, rows)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
        print(f"epoch {epoch + 1}: loss {loss.item():.3f}")
    planes = torch.zeros(BATCH, len(net.game.plane_names), net.game.ranks, net.game.files)
    names = ["value", *(f"logits{i}" for i in range(len(net.parts)))]
    torch.onnx.export(net.eval(), (planes,), path, input_names=["planes"], output_names=names, dynamo=False)


if __name__ == "__main__":
    learn(sys.argv[1:-1], sys.argv[-1])
