/** The read-only checkbox of a task list. */
export const TaskBox = ({ checked }: { checked?: boolean | undefined }) => (
  <input type="checkbox" checked={checked} aria-label={checked ? 'Done' : 'To do'} disabled readOnly />
)
