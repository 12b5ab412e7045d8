// The worked examples of the public encoding of Contrast, version 2. Run: node --test
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrayToBoard, boardToArray, decodeCell, encodeCell } from '../static/boardarray.js';

const none = 0, black = 1, white = 2, gray = 2;

const start = [
  3, 3, 3, 3, 3,
  0, 0, 0, 0, 0,
  0, 0, 0, 0, 0,
  0, 0, 0, 0, 0,
  6, 6, 6, 6, 6,
  3, 1, 3, 1,
];
const depleted = [
  3, 0, 0, 0, 0,
  0, 3, 2, 0, 0,
  0, 1, 3, 0, 0,
  0, 0, 0, 6, 0,
  0, 0, 0, 6, 6,
  0, 0, 2, 1,
];

test('the table of cell values', () => {
  const table = [[none, none], [none, black], [none, gray], [black, none], [black, black], [black, gray],
    [white, none], [white, black], [white, gray]];
  table.forEach(([occupant, tile], value) => {
    assert.equal(encodeCell(occupant, tile), value);
    assert.deepEqual(decodeCell(value), { occupant, tile });
  });
});

test('values outside the table are errors', () => {
  for (const value of [-1, 9, 1.5, NaN, '3']) assert.throws(() => decodeCell(value), /Invalid cell value/);
});

test('the start of the game', () => {
  const { board, tileInventory } = arrayToBoard(start);
  assert.equal(board.length, 5);
  for (let x = 0; x < 5; x++) {
    assert.deepEqual(board[0][x], { occupant: black, tile: none });
    assert.deepEqual(board[2][x], { occupant: none, tile: none });
    assert.deepEqual(board[4][x], { occupant: white, tile: none });
  }
  assert.deepEqual(tileInventory, { black: { blackTiles: 3, grayTiles: 1 }, white: { blackTiles: 3, grayTiles: 1 } });
  assert.deepEqual(boardToArray(board, tileInventory), start);
});

test('the end of a game in which black has no tiles left', () => {
  const { board, tileInventory } = arrayToBoard(depleted);
  assert.deepEqual(board[1][2], { occupant: none, tile: gray }); // c4
  assert.deepEqual(board[2][1], { occupant: none, tile: black }); // b3
  assert.deepEqual(board[2][2], { occupant: black, tile: none }); // c3
  assert.deepEqual(board[3][3], { occupant: white, tile: none }); // d2
  assert.deepEqual(tileInventory, { black: { blackTiles: 0, grayTiles: 0 }, white: { blackTiles: 2, grayTiles: 1 } });
  assert.deepEqual(boardToArray(board, tileInventory), depleted);
});

test('arrays of another length are errors', () => {
  for (const array of [[], start.slice(0, 25), [...start, 0]]) assert.throws(() => arrayToBoard(array), /29 elements/);
});
