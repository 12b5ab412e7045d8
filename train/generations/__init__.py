"""Generations of networks: play, train, match, keep or drop, and again.

A generation plays games with the last network that was kept, trains a network on the games of all generations, and
plays matches. A folder holds everything:

    loop.json     the settings, and a record of every step that is complete: result, SHA-256 of its file, CPU time
    gen-N/        a generation: data/ (a dataset with its plan), net.safetensors, net.check.jsonl, net.json, matches
    results.md    a table of generations; elo.svg draws it

A step is complete when its record is in loop.json, which is replaced as a whole. Steps write under other names first,
or resume by themselves, so the loop can be killed anywhere: the same command goes on at the first step without a
record. What depends on time, such as the number of games that fit the hours, is decided once and recorded.

    settings.py   what is asked for
    journal.py    loop.json
    program.py    the selfplay program, the trainer and programs of others as processes; their CPU time
    players.py    texts of players
    steps.py      the steps of a generation
    gate.py       keep or drop
    results.py    table and plot
    loop.py       the command
    ablate.py     the command that compares settings of the trainer
    models.py     the command that makes generations of a model of your own
    command.py    what these commands have in common
"""
