import { Button } from '@mantine/core'
import { useState } from 'react'

import type { Axes } from '#contract/variants.ts'
import { count } from '#src/format/numbers.ts'
import classes from './AxesList.module.css'
import mutedText from './muted-text.module.css'

const names = {
  agents: 'Agents',
  agentModes: 'Agent modes',
  models: 'Models',
  products: 'Products',
  environments: 'Environments',
  prompts: 'Prompts',
} as const satisfies Record<keyof Axes, string>

const order = Object.keys(names) as (keyof Axes)[]

type Props = {
  axes: Axes
  /** A long axis shows only how many values it has. */
  isFolded?: boolean
}

/** The axes of an experiment with their values. A long axis shows its first values until the rest is requested. */
export const AxesList = ({ axes, isFolded = false }: Props) => (
  <dl className={classes.list}>
    {order
      .filter((axis) => axes[axis].length > 0)
      .map((axis) => (
        <div key={axis} className={classes.row}>
          <dt className={mutedText.plain}>{names[axis]}</dt>
          <dd className={classes.values}>
            <Values values={axes[axis]} name={names[axis]} isFolded={isFolded} />
          </dd>
        </div>
      ))}
  </dl>
)

type ValuesProps = { values: readonly string[]; name: string; isFolded: boolean }

function Values({ values, name, isFolded }: ValuesProps) {
  const shownAtFirst = isFolded ? 0 : 12
  const [isOpen, setOpen] = useState(values.length <= shownAtFirst + 3)
  return (
    <>
      {(isOpen ? values : values.slice(0, shownAtFirst)).map((value) => (
        <code key={value} className={classes.value}>
          {value}
        </code>
      ))}
      {!isOpen && (
        <Button variant="subtle" size="compact-xs" onClick={() => setOpen(true)}>
          {isFolded ? `${count(values.length)} ${name.toLowerCase()}` : `Show all ${count(values.length)}`}
        </Button>
      )}
    </>
  )
}
