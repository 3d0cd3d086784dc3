export type ProcessTimes = { name: string; parent: number; ownMs: number; endedMs: number }
export function readProcesses(): Map<number, ProcessTimes>
export function commandOf(pid: number): string
export function treeOf(pid: number, processes?: Map<number, ProcessTimes>): number[]
export function timesOfTree(pid: number): { ownMs: number; childrenMs: number }
