import { getPriority, setPriority } from 'node:os'

/** Gives this process the niceness, unless its own is higher, as under `nice npm start`: only root may lower it again. */
export function lowerPriority(niceness: number): void {
  if (getPriority() < niceness) setPriority(niceness)
}
