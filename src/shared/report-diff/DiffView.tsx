import { useMemo } from 'react'

import { counted } from '#src/format/numbers.ts'
import mutedText from '#src/ui/muted-text.module.css'
import { type DiffBlock, type FigureChange, diffBlocks } from './diff-blocks.ts'
import classes from './DiffView.module.css'

/** The paragraphs around a change that stay open. */
const context = 1

/** The differences of two texts: words in paragraphs, and figures by their titles. Runs of unchanged paragraphs are closed. */
export function DiffView({ before, after }: { before: string; after: string }) {
  const blocks = useMemo(() => diffBlocks(before, after), [before, after])
  if (!blocks.some(({ isChanged }) => isChanged)) return <p className={mutedText.note}>The text is the same.</p>
  const isOpen = (place: number) =>
    blocks.slice(Math.max(0, place - context), place + context + 1).some(({ isChanged }) => isChanged)
  const groups: { isOpen: boolean; blocks: DiffBlock[] }[] = []
  for (const [place, block] of blocks.entries()) {
    const last = groups.at(-1)
    if (last?.isOpen === isOpen(place)) last.blocks.push(block)
    else groups.push({ isOpen: isOpen(place), blocks: [block] })
  }
  return (
    <div className={classes.diff}>
      {groups.map((group) =>
        group.isOpen ? (
          group.blocks.map((block) => <Block key={block.at} block={block} />)
        ) : (
          <details key={group.blocks[0]?.at}>
            <summary>{counted(group.blocks.length, 'unchanged paragraph')}</summary>
            {group.blocks.map((block) => (
              <Block key={block.at} block={block} />
            ))}
          </details>
        ),
      )}
    </div>
  )
}

function Block({ block: { figure, pieces } }: { block: DiffBlock }) {
  if (figure) return <FigureBlock figure={figure} />
  return (
    <p className={classes.paragraph} dir="auto">
      {pieces.map(({ kind, text }, place) => {
        const key = `${place} ${kind}`
        if (kind === 'added') return <ins key={key}>{text}</ins>
        if (kind === 'removed') return <del key={key}>{text}</del>
        return <span key={key}>{text}</span>
      })}
    </p>
  )
}

const words = { added: 'Figure added', removed: 'Figure removed', changed: 'Figure changed', same: 'Figure' }

function FigureBlock({ figure: { kind, title, removed, added } }: { figure: FigureChange }) {
  return (
    <div className={classes.figure} data-kind={kind}>
      <strong>
        {words[kind]}: {title}
      </strong>
      {kind === 'changed' && (
        <p className={classes.paragraph}>
          {removed.map((line) => (
            <del key={line}>{`${line}\n`}</del>
          ))}
          {added.map((line) => (
            <ins key={line}>{`${line}\n`}</ins>
          ))}
        </p>
      )}
    </div>
  )
}
