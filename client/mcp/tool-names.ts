/** Tools that write. Each is there only if the person who starts the server names it. */
export const writingTools = ['cancel_request', 'append_to_report', 'push_definition', 'submit_runs'] as const
export type WritingTool = (typeof writingTools)[number]

export const isWritingTool = (name: string): name is WritingTool => writingTools.some((each) => each === name)
