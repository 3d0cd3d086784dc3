import { signOut } from '#src/api/session.ts'
import { paths } from '#src/paths.ts'

/** Signs out and loads a new page, so none of this person's data stays in memory. */
export async function leave(where: 'here' | 'everywhere') {
  await signOut(where)
  window.location.assign(paths.signIn())
}
