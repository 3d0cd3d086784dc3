/** The blob of an image. Never of its content: an image that is added again while the old one is deleted has its own. */
export const imageKey = (imageId: string) => `report-images/${imageId}`
