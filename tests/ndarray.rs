//! Arrays of the crate `ndarray`, written and read through the public Rust interface.
#![cfg(feature = "ndarray")]

use asdfkit::Status;
use asdfkit::array::{Order, ReadOptions, Region};
use asdfkit::file::{File, NewOptions, Node};
use ndarray::{Array0, Array2, Axis, arr2, s};

fn node() -> Node {
    File::new(&NewOptions::default()).root().unwrap()
}

#[test]
fn arrays_of_any_layout_come_back() {
    let root = node();
    let array = arr2(&[[1i16, 2, 3], [4, 5, 6]]);
    let mut backwards = array.clone();
    backwards.invert_axis(Axis(1));
    root.set_ndarray("c", &array).unwrap();
    root.set_ndarray("fortran", &array.t()).unwrap();
    root.set_ndarray("backwards", &backwards).unwrap();
    root.set_ndarray("part", &array.slice(s![.., ..;2])).unwrap();
    root.set_ndarray("one", &Array0::from_elem((), 7u8)).unwrap();
    root.set_ndarray("none", &Array2::<f32>::zeros((3, 0))).unwrap();
    let read = |path: &str| root.array(path).unwrap().read_array::<i16>().unwrap();
    assert_eq!(read("c"), array.view().into_dyn());
    assert_eq!(read("fortran"), array.t().into_dyn());
    assert_eq!(read("backwards"), arr2(&[[3i16, 2, 1], [6, 5, 4]]).into_dyn());
    assert_eq!(read("part"), arr2(&[[1i16, 3], [4, 6]]).into_dyn());
    assert_eq!((read("one").ndim(), read("one").sum()), (0, 7));
    assert_eq!(read("none").shape(), [3, 0]);
}

#[test]
fn regions_and_fortran_order_keep_their_indices() {
    let root = node();
    root.set_array("a", &[1u8, 2, 3, 4, 5, 6], [2, 3]).unwrap();
    let array = root.array("a").unwrap();
    let region = Region { start: &[0, 1], count: &[2, 2], step: None };
    let fortran = ReadOptions { order: Order::Fortran, ..ReadOptions::default() };
    let read = array.read_array_with::<f64>(Some(&region), &fortran).unwrap();
    assert_eq!(read, arr2(&[[2.0, 3.0], [5.0, 6.0]]).into_dyn());
    assert!(!read.is_standard_layout());
}

#[test]
fn unsupported_arrays_are_refused() {
    let root = node();
    root.set_array("a", &[1u8, 2], [2]).unwrap();
    root.set_array("a/mask", &[false, true], [2]).unwrap();
    let status = |path: &str| root.array(path).unwrap().read_array::<u8>().unwrap_err().status();
    assert_eq!(status("a"), Status::Masked);
    root.set_array("empty", &[0u8; 0], [0, 1 << 40, 1 << 40]).unwrap();
    assert_eq!(status("empty"), Status::Unsupported);
}
