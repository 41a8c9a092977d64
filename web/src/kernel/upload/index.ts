export { FileImage, type FileInfo, FileLink, useFileInfo } from "./files";
export { ResumableUpload, type UploadedFile, type UploadProgress, type UploadSlot } from "./resumable";
export { formatBytes, refusal, slotRule } from "./slots";
export { Upload } from "./Upload";
