/** Parts of a row as fractions of its height, from the top: label baseline, middle of the box, half the box height. */
export const partsOfRow = { label: 0.2, middle: 0.66, half: 0.19 }
