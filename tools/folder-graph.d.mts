/** Importing folder → imported folder → the importing lines. */
export type FolderGraph = Map<string, Map<string, string[]>>

export function readFolderGraph(folder: string, base?: string): FolderGraph
export function importedByFile(file: string, base?: string): string[]
export function atEveryLevel(graph: FolderGraph, folder: string): FolderGraph[]
export function findCycle(graph: FolderGraph): string[] | null
export function toFloors(graph: FolderGraph): string[][]
export function describeCycle(graph: FolderGraph, cycle: string[]): string
