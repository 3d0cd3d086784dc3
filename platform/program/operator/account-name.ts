import { userInfo } from 'node:os'

/** The name of the account that runs this process. */
export function accountName() {
  try {
    return userInfo().username
  } catch {
    // In a container, the user id may have no name.
    return `uid ${process.getuid?.()}`
  }
}
