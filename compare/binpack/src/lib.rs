//! Reads a binpack file with the crate sfbinpack, for a caller that owns arrays, such as NumPy through ctypes. The
//! crate itself has no binding for Python.

use std::ffi::{c_char, CStr};
use std::fs::File;
use std::slice;

use sfbinpack::chess::coords::Square;
use sfbinpack::CompressedTrainingDataEntryReader;

/// Numbers of pieces in arrays, by those of the crate: 1 to 6 are white pawn, knight, bishop, rook, queen and king, 7 to
/// 12 the black ones, 0 is empty.
const NUMBERS: [u8; 13] = [1, 7, 2, 8, 3, 9, 4, 10, 5, 11, 6, 12, 0];

type Reader = CompressedTrainingDataEntryReader<File>;

/// Opens a file. Returns null if that fails. `binpack_close` frees the reader.
///
/// # Safety
/// `path` is a C string.
#[no_mangle]
pub unsafe extern "C" fn binpack_open(path: *const c_char) -> *mut Reader {
    let Ok(path) = CStr::from_ptr(path).to_str() else {
        return std::ptr::null_mut();
    };
    let reader = File::open(path).ok().and_then(|file| Reader::new(file).ok());
    reader.map_or(std::ptr::null_mut(), |reader| Box::into_raw(Box::new(reader)))
}

/// Reads at most n positions: boards as n times 64 piece numbers from a8, and what belongs to each. Returns how many.
///
/// # Safety
/// The reader is open, and the arrays have room for n positions.
#[no_mangle]
pub unsafe extern "C" fn binpack_read(
    reader: *mut Reader,
    n: usize,
    boards: *mut u8,
    sides: *mut u8,
    scores: *mut i16,
    results: *mut i8,
) -> usize {
    let reader = &mut *reader;
    let boards = slice::from_raw_parts_mut(boards, 64 * n);
    let sides = slice::from_raw_parts_mut(sides, n);
    let scores = slice::from_raw_parts_mut(scores, n);
    let results = slice::from_raw_parts_mut(results, n);
    for i in 0..n {
        if !reader.has_next() {
            return i;
        }
        let entry = reader.next();
        for (square, cell) in boards[64 * i..64 * i + 64].iter_mut().enumerate() {
            let piece = entry.pos.piece_at(Square::new(square as u32 ^ 56));
            *cell = NUMBERS[usize::from(piece.id())];
        }
        sides[i] = entry.pos.side_to_move() as u8;
        scores[i] = entry.score;
        results[i] = entry.result as i8;
    }
    n
}

/// # Safety
/// The reader is open. It is not used again.
#[no_mangle]
pub unsafe extern "C" fn binpack_close(reader: *mut Reader) {
    drop(Box::from_raw(reader));
}
