import type { Import } from '#contract/imports.ts'

export const isWorking = ({ state }: Pick<Import, 'state'>) =>
  state === 'reading' || state === 'running' || state === 'undoing'
