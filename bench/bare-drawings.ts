import type { Page } from '@playwright/test'

/** Lower bounds for the cost of drawing: on an empty page in the same browser, without any other work. */

/** As many filled cells as a heatmap of `columns` × `rows`, on one canvas. */
export const drawBareCells = (page: Page, size: { columns: number; rows: number }) =>
  page.evaluate(async ({ columns, rows }) => {
    const { canvas, pen } = await newCanvas()
    return globalThis.benchClock.untilDrawn(draw)

    function draw() {
      const [width, height] = [canvas.width / columns, canvas.height / rows]
      for (let row = 0; row < rows; row += 1) {
        for (let column = 0; column < columns; column += 1) {
          pen.fillStyle = `rgb(${(row * 7) % 256} ${(column * 5) % 256} 90)`
          pen.fillRect(column * width, row * height, width, height)
        }
      }
    }
    async function newCanvas() {
      document.body.replaceChildren()
      await globalThis.benchClock.afterPaint()
      const canvas = document.body.appendChild(document.createElement('canvas'))
      Object.assign(canvas, { width: 1100, height: 700 })
      const pen = canvas.getContext('2d')
      if (!pen) throw new Error('There is no canvas')
      return { canvas, pen }
    }
  }, size)

/** As many squares as a scatterplot has points. */
export const drawBarePoints = (page: Page, points: number) =>
  page.evaluate(async (points) => {
    document.body.replaceChildren()
    await globalThis.benchClock.afterPaint()
    const canvas = document.body.appendChild(document.createElement('canvas'))
    Object.assign(canvas, { width: 1100, height: 440 })
    const pen = canvas.getContext('2d')
    const places = Array.from({ length: points }, () => [Math.random() * 1100, Math.random() * 440] as const)
    const colors = ['#4269d0', '#efb118', '#ff725c', '#6cc5b0', '#3ca951', '#ff8ab7', '#a463f2', '#97bbf5']
    return globalThis.benchClock.untilDrawn(() => {
      if (!pen) return
      pen.globalAlpha = 0.1
      for (const [index, [x, y]] of places.entries()) {
        pen.fillStyle = colors[index % colors.length] ?? ''
        pen.fillRect(x, y, 4, 4)
      }
    })
  }, points)

/** A list with only its visible rows on the page; `from` is the first of them. */
export const drawBareRows = (page: Page, size: { rows: number; columns: number; from: number }) =>
  page.evaluate(async ({ rows, columns, from }) => {
    document.body.replaceChildren()
    await globalThis.benchClock.afterPaint()
    const cells = Array.from({ length: rows }, (_, row) =>
      Array.from({ length: columns }, (_, column) => `${row * columns + column}`),
    )
    return globalThis.benchClock.untilDrawn(() => {
      const list = document.body.appendChild(document.createElement('div'))
      Object.assign(list.style, { height: '600px', overflow: 'auto', position: 'relative' })
      const whole = list.appendChild(document.createElement('div'))
      whole.style.height = `${rows * 28}px`
      list.scrollTop = from * 28
      for (const [index, row] of cells.slice(from, from + 34).entries()) {
        const line = whole.appendChild(document.createElement('div'))
        Object.assign(line.style, { position: 'absolute', top: `${(from + index) * 28}px`, display: 'flex' })
        for (const text of row) {
          const cell = line.appendChild(document.createElement('span'))
          cell.style.width = '120px'
          cell.textContent = text
        }
      }
    })
  }, size)
