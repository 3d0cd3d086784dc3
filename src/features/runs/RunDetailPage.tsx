export const RunDetailPage = ({ id }: { id: string }) => <p>{id}</p>
