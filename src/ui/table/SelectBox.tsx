import type { MouseEvent } from 'react'

import classes from './SelectBox.module.css'

type Props = { label: string; isOn: boolean; isSome?: boolean; onToggle: (isRange: boolean) => void }

const noChange = () => {}

/** A checkbox whose whole cell can be clicked. Shift marks a range. */
export function SelectBox({ label, isOn, isSome = false, onToggle }: Props) {
  const toggle = (event: MouseEvent) => {
    event.stopPropagation()
    onToggle(event.shiftKey)
  }
  return (
    <span
      className={classes.area}
      onClick={(event) => {
        // The browser would select the text between the clicks.
        if (event.shiftKey) window.getSelection()?.removeAllRanges()
        toggle(event)
      }}
      role="presentation"
    >
      <input
        type="checkbox"
        className={classes.box}
        aria-label={label}
        checked={isOn}
        onChange={noChange}
        onClick={toggle}
        ref={(box) => {
          if (box) box.indeterminate = isSome
        }}
      />
    </span>
  )
}
