/** Does work on a page that is drawn as for paper: whole heatmaps, in the light theme. All of it happens before the browser paints. */
export function asPrinted<Result>(work: () => Result): Result {
  window.dispatchEvent(new Event('beforeprint'))
  try {
    return work()
  } finally {
    window.dispatchEvent(new Event('afterprint'))
  }
}

/** What is drawn, as the URL of a PNG image; null if nothing is. */
export function pngOf(canvas: HTMLCanvasElement): string | null {
  const source = canvas.width > 0 && canvas.height > 0 ? canvas.toDataURL('image/png') : ''
  return source.startsWith('data:image/png') ? source : null
}
