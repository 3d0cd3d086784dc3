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

/** The axes of an experiment with their values. */
export const AxesList = ({ axes }: { axes: Axes }) => (
  <dl className={classes.list}>
    {order
      .filter((axis) => axes[axis].length > 0)
      .map((axis) => (
        <div key={axis} className={classes.row}>
          <dt className={classes.name}>{names[axis]}</dt>
          <dd className={classes.values}>
            {axes[axis].map((value) => (
              <code key={value} className={classes.value}>
                {value}
              </code>
            ))}
          </dd>
        </div>
      ))}
  </dl>
)
