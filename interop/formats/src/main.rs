//! Prints every position of files of a format, as the reader of that format's own crate sees it,
//! one line each.
//!
//!     formats bulletformat FILE...    board | score | result | own king | other king
//!     formats viriformat FILE...      FEN | move | score | result
//!     formats viriformat960 FILE...   the same of Chess960
//!     formats binpack FILE...         FEN | move | score | ply | result
//!     formats records FILE...         game | nodes | score | outcome | side | board
//!     formats pack FILE...            writes positions of the format plain as binpack
//!
//! The records are those of `Record`, read by the data loader of bulletformat, which takes any
//! struct. bullet's own FixedSizeDataReader takes the same structs, but is no crate by itself.
//!
//! The board of bulletformat is the first field of a FEN, as the side to move sees it.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};

use bulletformat::{BulletFormat, ChessBoard, DataLoader};
use sfbinpack::chess::coords::Square;
use sfbinpack::chess::piece::Piece;
use sfbinpack::chess::piecetype::PieceType;
use sfbinpack::chess::position::Position;
use sfbinpack::chess::r#move::Move;
use sfbinpack::{CompressedTrainingDataEntryReader, CompressedTrainingDataEntryWriter, TrainingDataEntry};
use viriformat::dataformat::{Game, WDL};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let format = args.next().ok_or("want a format and files")?;
    let mut out = BufWriter::new(io::stdout().lock());
    for path in args {
        match format.as_str() {
            "bulletformat" => bullet(&path, &mut out)?,
            "viriformat" => viri(&path, false, &mut out)?,
            "viriformat960" => viri(&path, true, &mut out)?,
            "binpack" => binpack(&path, &mut out)?,
            "records" => records(&path, &mut out)?,
            "pack" => pack(&path, &mut out)?,
            _ => return Err(format!("unknown format {format}").into()),
        }
    }
    out.flush()?;
    Ok(())
}

fn bullet(path: &str, out: &mut impl Write) -> io::Result<()> {
    let mut result = Ok(());
    DataLoader::<ChessBoard>::new(path, 1)?.map_batches(1, |batch| {
        for board in batch {
            let line = format!(
                "{} | {} | {} | {} | {}\n",
                placement(board),
                board.score,
                board.result,
                board.our_ksq(),
                board.opp_ksq()
            );
            if result.is_ok() {
                result = out.write_all(line.as_bytes());
            }
        }
    });
    result
}

/// The first field of a FEN.
fn placement(board: &ChessBoard) -> String {
    let mut squares = [None; 64];
    for (piece, square) in *board {
        let letter = b"PNBRQK..pnbrqk"[usize::from(piece)] as char;
        squares[usize::from(square)] = Some(letter);
    }
    let ranks: Vec<String> = squares.chunks(8).rev().map(rank).collect();
    ranks.join("/")
}

fn rank(squares: &[Option<char>]) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for square in squares {
        match square {
            None => empty += 1,
            Some(letter) => {
                if empty > 0 {
                    text.push_str(&empty.to_string());
                }
                empty = 0;
                text.push(*letter);
            }
        }
    }
    if empty > 0 {
        text.push_str(&empty.to_string());
    }
    text
}

fn viri(path: &str, chess960: bool, out: &mut impl Write) -> io::Result<()> {
    let mut reader = BufReader::new(File::open(path)?);
    while !reader.fill_buf()?.is_empty() {
        let game = Game::deserialise_from(&mut reader, Vec::new())?;
        let result = match game.outcome() {
            WDL::Win => 1,
            WDL::Draw => 0,
            WDL::Loss => -1,
        };
        let mut moves = game.moves();
        let mut lines = String::new();
        game.visit_positions(|board, score| {
            let next = moves.next().expect("a move of every position");
            lines.push_str(&format!("{board} | {} | {score} | {result}\n", next.display(chess960)));
        });
        out.write_all(lines.as_bytes())?;
    }
    Ok(())
}

fn binpack(path: &str, out: &mut impl Write) -> Result<(), Box<dyn std::error::Error>> {
    let mut reader = CompressedTrainingDataEntryReader::new(File::open(path)?)?;
    while reader.has_next() {
        let entry = reader.next();
        let fen = entry.pos.fen().map_err(|_| "a position without a FEN")?;
        writeln!(out, "{fen} | {} | {} | {} | {}", entry.mv.as_uci(), entry.score, entry.ply, entry.result)?;
    }
    Ok(())
}

/// Writes the positions of a file as the writer of the crate does: six lines each, with fen, move,
/// score, ply and result.
fn pack(path: &str, out: &mut impl Write) -> Result<(), Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string(path)?;
    let mut writer = CompressedTrainingDataEntryWriter::new(out)?;
    let lines: Vec<&str> = text.lines().collect();
    for position in lines.chunks(6) {
        let value = |i: usize| position[i].split_once(' ').map(|(_, value)| value).ok_or("a line without a value");
        let mut pos = Position::from_fen(value(0)?).map_err(|_| "a FEN that is not valid")?;
        let ply: u16 = value(3)?.parse()?;
        pos.set_ply(ply);
        let mv = uci(&pos, value(1)?).ok_or("a move that is not UCI")?;
        writer.write_entry(&TrainingDataEntry { pos, mv, score: value(2)?.parse()?, ply, result: value(4)?.parse()? })?;
    }
    Ok(())
}

/// The move of a text such as e1g1, whose kind follows from the board.
fn uci(pos: &Position, text: &str) -> Option<Move> {
    let (from, to) = (Square::from_string(text.get(..2)?)?, Square::from_string(text.get(2..4)?)?);
    let piece = pos.piece_at(from);
    let promotion = match text.get(4..)? {
        "n" => PieceType::Knight,
        "b" => PieceType::Bishop,
        "r" => PieceType::Rook,
        "q" => PieceType::Queen,
        _ => PieceType::None,
    };
    let (a, b) = (from.index() as i32, to.index() as i32);
    Some(match piece.piece_type() {
        _ if promotion != PieceType::None => Move::promotion(from, to, Piece::new(promotion, pos.side_to_move())),
        PieceType::Pawn if to == pos.ep_square() && a % 8 != b % 8 => Move::en_passant(from, to),
        PieceType::King if b == a + 2 => Move::castle(from, Square::new((a + 3) as u32)),
        PieceType::King if b == a - 2 => Move::castle(from, Square::new((a - 4) as u32)),
        _ => Move::normal(from, to),
    })
}

/// What `--format records --fields game,nodes,board,score,outcome,side` writes for chess. The
/// larger numbers come first, so no field is padded.
#[repr(C)]
#[derive(Clone, Copy)]
struct Record {
    game: u64,
    nodes: u32,
    board: [u8; 72],
    score: i16,
    outcome: i8,
    side: u8,
}

const _: () = assert!(std::mem::size_of::<Record>() == 88);

impl BulletFormat for Record {
    type FeatureType = u8;
    const HEADER_SIZE: usize = 0;

    fn set_result(&mut self, result: f32) {
        self.outcome = (2. * result - 1.) as i8;
    }

    fn score(&self) -> i16 {
        self.score
    }

    fn result(&self) -> f32 {
        f32::from(self.outcome + 1) / 2.
    }

    fn result_idx(&self) -> usize {
        (self.outcome + 1) as usize
    }
}

impl IntoIterator for Record {
    type Item = u8;
    type IntoIter = std::array::IntoIter<u8, 72>;

    fn into_iter(self) -> Self::IntoIter {
        self.board.into_iter()
    }
}

fn records(path: &str, out: &mut impl Write) -> io::Result<()> {
    let mut result = Ok(());
    DataLoader::<Record>::new(path, 1)?.map_positions(|r| {
        let board: Vec<String> = r.into_iter().map(|cell| cell.to_string()).collect();
        let line = format!("{} | {} | {} | {} | {} | {}\n", r.game, r.nodes, r.score, r.outcome, r.side, board.join(" "));
        if result.is_ok() {
            result = out.write_all(line.as_bytes());
        }
    });
    result
}
