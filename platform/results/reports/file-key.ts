/**
 * The blob of an image or of a pinned figure. Never of its content: an image that is added again while the old one is
 * deleted has its own.
 */
export const fileKey = (fileId: string) => `report-images/${fileId}`
