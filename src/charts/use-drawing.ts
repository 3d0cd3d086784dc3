import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'

type Size = { width: number; height: number }

type Draw = (pen: CanvasRenderingContext2D) => void

/** A canvas at screen resolution, redrawn when `draw` changes or a font has loaded. */
export function useDrawing({ width, height }: Size, draw: Draw) {
  const ref = useRef<HTMLCanvasElement>(null)
  // Browser API: the canvas 2D context, drawn before the browser paints so that it never lags its labels.
  useLayoutEffect(() => paint(ref.current, { width, height }, draw), [width, height, draw])
  const repaint = useEffectEvent(() => paint(ref.current, { width, height }, draw))
  // Browser API: document.fonts. Text drawn before its font has loaded keeps the fallback's look.
  useEffect(() => {
    const onArrival = () => repaint()
    document.fonts.addEventListener('loadingdone', onArrival)
    return () => document.fonts.removeEventListener('loadingdone', onArrival)
  }, [])
  return ref
}

function paint(canvas: HTMLCanvasElement | null, { width, height }: Size, draw: Draw) {
  const pen = canvas?.getContext('2d')
  if (!canvas || !pen || width === 0) return
  const ratio = window.devicePixelRatio
  const [deviceWidth, deviceHeight] = [Math.round(width * ratio), Math.round(height * ratio)]
  if (canvas.width !== deviceWidth) canvas.width = deviceWidth
  if (canvas.height !== deviceHeight) canvas.height = deviceHeight
  pen.setTransform(ratio, 0, 0, ratio, 0, 0)
  draw(pen)
}
