import { lazy, Suspense } from 'react'

import { changeLimits, type FileContent, type FileState } from '#contract/changes.ts'
import { bytes } from '#src/format/numbers.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import classes from './ChangesView.module.css'
import { imageUrl } from './image-url.ts'

/** The editor is large, and most visits of a run do not open its changes. */
const DiffView = lazy(async () => ({ default: (await import('#src/editor/DiffView.tsx')).DiffView }))

/** One side of a comparison. `state` is null if the file does not exist there. */
export type Side = {
  label: string
  state: FileState | null
  content: FileContent | null
  /** The number of its first line, if it is an excerpt. */
  firstLine?: number | undefined
}

type Props = { path: string; before: Side; after: Side; isUnified: boolean; showsAll: boolean }

/** Longer texts freeze the editor; they can be downloaded. */
const maxShownCharacters = 1_000_000

/** Compares two sides of a file: as text, as images, or by a sentence if neither can be shown. */
export function FileContents({ path, before, after, isUnified, showsAll }: Props) {
  const missing = [before, after].filter(({ state, content }) => state !== null && content === null)
  if (missing.length > 0) return <EmptyState title="Content not stored" hint={whyNotKept(missing)} />
  const sides = [before, after].filter(({ content }) => content !== null)
  if (sides.some(({ content }) => content && imageUrl(content) !== null)) return <Images path={path} sides={sides} />
  if (sides.some(({ content }) => content?.encoding === 'base64'))
    return <EmptyState title="This file is not text" hint="Download the files to open it." />
  const texts = { before: before.content?.text ?? '', after: after.content?.text ?? '' }
  if (texts.before.length + texts.after.length > maxShownCharacters)
    return <EmptyState title="This file is too long to show" hint="Download the patch or the files." />
  if (texts.before === '' && texts.after === '') return <EmptyState title="This file is empty" />
  return (
    <div className={classes.diff}>
      <Suspense>
        <DiffView
          before={{ label: before.label, text: texts.before, firstLine: before.firstLine }}
          after={{ label: after.label, text: texts.after, firstLine: after.firstLine }}
          isUnified={isUnified}
          showsAll={showsAll}
        />
      </Suspense>
    </div>
  )
}

function whyNotKept(sides: readonly Side[]) {
  const size = Math.max(...sides.map(({ state }) => state?.sizeBytes ?? 0))
  const { fileBytes, keptBytes } = changeLimits
  return size > fileBytes
    ? `The file has ${bytes(size)}. Only files of up to ${fileBytes / 1024 ** 2} MB are stored.`
    : `The file could not be read, or the changed files of this run exceed ${keptBytes / 1024 ** 2} MB in total.`
}

const Images = ({ path, sides }: { path: string; sides: readonly Side[] }) => (
  <div className={classes.images}>
    {sides.map(({ label, content }) => (
      <figure key={label} className={classes.image}>
        <figcaption>{label}</figcaption>
        {content && <img src={imageUrl(content) ?? ''} alt={`${path}, ${label.toLowerCase()}`} />}
      </figure>
    ))}
  </div>
)
