import { Button, Popover } from '@mantine/core'
import { IconAdjustmentsHorizontal, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import classes from './FilterPopover.module.css'

export type FilterChip = { label: string; onRemove: () => void }

type Props = {
  /** One for each filter that is used. */
  chips: readonly FilterChip[]
  onClear: () => void
  children: ReactNode
}

/** Every filter behind one button, side by side, and what is filtered as chips beside the button. */
export const FilterPopover = ({ chips, onClear, children }: Props) => (
  <>
    <Popover position="bottom-end" shadow="sm" width={760} trapFocus>
      <Popover.Target>
        <Button
          variant={chips.length > 0 ? 'light' : 'default'}
          fw={450}
          className={classes.target}
          leftSection={<IconAdjustmentsHorizontal size={14} aria-hidden />}
        >
          {chips.length > 0 ? `Filters (${chips.length})` : 'Filters'}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.filters} maw="calc(100vw - 24px)" aria-label="Filters">
        {children}
      </Popover.Dropdown>
    </Popover>
    {chips.length > 0 && (
      <ul className={classes.chips} aria-label="Active filters">
        {chips.map(({ label, onRemove }) => (
          <li key={label}>
            <button type="button" className={classes.chip} aria-label={`Remove the filter ${label}`} onClick={onRemove}>
              <span>{label}</span>
              <IconX size={12} aria-hidden />
            </button>
          </li>
        ))}
        <li>
          <Button variant="subtle" color="gray" onClick={onClear}>
            Clear filters
          </Button>
        </li>
      </ul>
    )}
  </>
)

/** One filter in the popover. */
export const FilterPart = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={classes.part}>
    <h3 className={classes.title}>{title}</h3>
    {children}
  </section>
)
