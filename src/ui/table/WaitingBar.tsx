import classes from './DataTable.module.css'

type Props = { label: string; count: number; moved: number; onShow: () => void }

/** What a refresh would change: new rows and updated rows. */
export function WaitingBar({ label, count, moved, onShow }: Props) {
  if (count === 0 && moved === 0) return null
  const parts = [...(count > 0 ? [`${count} new ${label}`] : []), ...(moved > 0 ? [`${moved} updated`] : [])]
  return (
    <button type="button" className={classes.waiting} title="Refresh the list" onClick={onShow}>
      {parts.join(', ')}
    </button>
  )
}
