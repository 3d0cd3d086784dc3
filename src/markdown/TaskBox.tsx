/** The box of a task in a list: to be read, not ticked. */
export const TaskBox = ({ checked }: { checked?: boolean | undefined }) => (
  <input type="checkbox" checked={checked} aria-label={checked ? 'Done' : 'To do'} disabled readOnly />
)
