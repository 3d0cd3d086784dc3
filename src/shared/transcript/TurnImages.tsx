import type { TurnImage } from '#contract/transcript-images.ts'
import { turnImageSource } from '#src/api/transcripts.ts'
import { bytes } from '#src/format/numbers.ts'
import classes from './TurnImages.module.css'

/** The images of a turn, drawn small. Each is a link to itself. */
export function TurnImages({ runId, images }: { runId: string; images: readonly TurnImage[] }) {
  return (
    <div className={classes.images}>
      {[...new Map(images.map((image) => [image.id, image])).values()].map(({ id, type, width, height, sizeBytes }) => {
        const source = turnImageSource(runId, id)
        const size = `${width} × ${height} pixels, ${bytes(sizeBytes)}`
        return (
          <a key={id} href={source} target="_blank" rel="noreferrer" title={size}>
            <img
              src={source}
              alt={`${type.slice('image/'.length).toUpperCase()}, ${size}`}
              width={width}
              height={height}
              loading="lazy"
            />
          </a>
        )
      })}
    </div>
  )
}
