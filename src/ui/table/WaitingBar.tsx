import classes from './DataTable.module.css'

type Props = { label: string; count: number; moved: number; isReordered: boolean; onShow: () => void }

/** What a refresh would change: new rows and updated rows. */
export function WaitingBar({ label, count, moved, isReordered, onShow }: Props) {
  const parts = [
    ...(count > 0 ? [`${count} new ${label}`] : []),
    ...(moved > 0 ? [`${moved} updated`] : []),
    ...(isReordered ? ['order changed'] : []),
  ]
  if (parts.length === 0) return null
  return (
    <button type="button" className={classes.waiting} title="Refresh the list" onClick={onShow}>
      {parts.join(', ')}
    </button>
  )
}
