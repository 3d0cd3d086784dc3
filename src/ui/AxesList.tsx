import { Button } from '@mantine/core'
import { useState } from 'react'

import type { Axes } from '#contract/variants.ts'
import classes from './AxesList.module.css'

const names = {
  agents: 'Agents',
  agentModes: 'Agent modes',
  models: 'Models',
  products: 'Products',
  environments: 'Environments',
  prompts: 'Prompts',
} as const satisfies Record<keyof Axes, string>

const order = Object.keys(names) as (keyof Axes)[]

/** The axes of an experiment with their values. A long axis shows its first values until the rest is requested. */
export const AxesList = ({ axes }: { axes: Axes }) => (
  <dl className={classes.list}>
    {order
      .filter((axis) => axes[axis].length > 0)
      .map((axis) => (
        <div key={axis} className={classes.row}>
          <dt className={classes.name}>{names[axis]}</dt>
          <dd className={classes.values}>
            <Values values={axes[axis]} />
          </dd>
        </div>
      ))}
  </dl>
)

const shownAtFirst = 12

function Values({ values }: { values: readonly string[] }) {
  const [isFolded, setFolded] = useState(values.length > shownAtFirst + 3)
  return (
    <>
      {(isFolded ? values.slice(0, shownAtFirst) : values).map((value) => (
        <code key={value} className={classes.value}>
          {value}
        </code>
      ))}
      {isFolded && (
        <Button variant="subtle" size="compact-xs" onClick={() => setFolded(false)}>
          Show all {values.length}
        </Button>
      )}
    </>
  )
}
