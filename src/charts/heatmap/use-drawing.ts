import { useEffect, useLayoutEffect, useRef, useState } from 'react'

import type { Size } from './heatmap-geometry.ts'

/** A canvas as sharp as the screen, drawn anew whenever `draw` is a new function or a font has arrived. */
export function useDrawing({ width, height }: Size, draw: (pen: CanvasRenderingContext2D) => void) {
  const ref = useRef<HTMLCanvasElement>(null)
  const [fontsArrived, setFontsArrived] = useState(0)
  // Browser API: document.fonts. Text drawn before its font has loaded keeps the fallback's look.
  useEffect(() => {
    const onArrival = () => setFontsArrived((times) => times + 1)
    document.fonts.addEventListener('loadingdone', onArrival)
    return () => document.fonts.removeEventListener('loadingdone', onArrival)
  }, [])
  // Browser API: the canvas 2D context, drawn before the browser paints so that it never lags its labels.
  useLayoutEffect(() => {
    const canvas = ref.current
    const pen = canvas?.getContext('2d')
    if (!canvas || !pen || width === 0) return
    const ratio = window.devicePixelRatio
    const [deviceWidth, deviceHeight] = [Math.round(width * ratio), Math.round(height * ratio)]
    if (canvas.width !== deviceWidth) canvas.width = deviceWidth
    if (canvas.height !== deviceHeight) canvas.height = deviceHeight
    pen.setTransform(ratio, 0, 0, ratio, 0, 0)
    draw(pen)
  }, [width, height, draw, fontsArrived])
  return ref
}
