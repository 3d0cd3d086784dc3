import { lazy, Suspense, useState } from 'react'

import { MenuButton } from './MenuButton.tsx'
import type { ShellMenuProps } from './shell-menu.ts'

const ShellMenu = lazy(async () => ({ default: (await import('./ShellMenu.tsx')).ShellMenu }))

/** Starts as a plain button. Mantine's menu, a fifth of the first page's script, loads on the first click. */
export function LazyMenu(props: ShellMenuProps) {
  const [isWanted, setIsWanted] = useState(false)
  const button = <MenuButton text={props.text} label={props.label} onClick={() => setIsWanted(true)} />
  if (!isWanted) return button
  return (
    <Suspense fallback={button}>
      <ShellMenu {...props} />
    </Suspense>
  )
}
