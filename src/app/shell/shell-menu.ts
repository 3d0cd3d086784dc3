type MenuEntry = { label: string; isChecked?: boolean; onSelect: () => void }

export type ShellMenuProps = {
  text: string | undefined
  label: string
  heading?: string
  position: 'bottom-start' | 'top-start'
  entries: readonly MenuEntry[]
}
