// Conversions of the public encoding of Contrast, version 2: a position is an array of 29 numbers,
// 25 cells row by row from a5 and then the tiles in hand, as GET /api/game/{id}/board_array
// returns it.
//
// A board is a list of 5 rows of 5 cells { occupant, tile }. An occupant is 0 none, 1 black, 2
// white; a tile is 0 none, 1 black, 2 gray. A tile inventory has the members black and white, each
// { blackTiles, grayTiles }.

const side = 5;
const cells = side * side;
const size = cells + 4;

export function encodeCell(occupant, tile) {
  return occupant * 3 + tile;
}

export function decodeCell(value) {
  if (!Number.isInteger(value) || value < 0 || value > 8) throw new Error(`Invalid cell value: ${value}`);
  return { occupant: Math.floor(value / 3), tile: value % 3 };
}

export function boardToArray(board, tileInventory) {
  const { black, white } = tileInventory;
  return [
    ...board.flatMap((row) => row.map((cell) => encodeCell(cell.occupant, cell.tile))),
    black.blackTiles, black.grayTiles, white.blackTiles, white.grayTiles,
  ];
}

export function arrayToBoard(array) {
  if (array.length !== size) throw new Error(`Array must have ${size} elements`);
  const row = (y) => array.slice(y * side, (y + 1) * side).map(decodeCell);
  const [blackTiles, grayTiles, whiteBlackTiles, whiteGrayTiles] = array.slice(cells);
  return {
    board: Array.from({ length: side }, (_, y) => row(y)),
    tileInventory: {
      black: { blackTiles, grayTiles },
      white: { blackTiles: whiteBlackTiles, grayTiles: whiteGrayTiles },
    },
  };
}
