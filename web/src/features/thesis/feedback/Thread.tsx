import { Flex, Rate, Skeleton } from "antd";
import { DictTag } from "@/kernel/dict";
import { useTranslation } from "@/kernel/i18n";
import { ErrorState, FileImage, TimeText } from "@/kernel/ui";
import type { FileView } from "../shared/wire";
import { type FeedbackDetail, useFeedback } from "./calls";
import { ThreadActs } from "./ThreadActs";
import "../thesis.css";

/** A question with everything that was said about it, and what the reader can do. */
export function Thread({ id }: { id: number }) {
  const { t } = useTranslation("thesis");
  const { data, error, isPending, refetch } = useFeedback(id);
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (isPending || !data) return <Skeleton active paragraph={{ rows: 5 }} />;
  return (
    <div className="th-stack">
      <Flex gap={8} wrap align="center">
        <DictTag type="thesis_feedback_state" value={data.state} />
        <DictTag type="thesis_feedback_kind" value={data.kind} />
        {data.handlerName ? (
          <span className="th-quiet">{t("feedback.handledBy", { name: data.handlerName })}</span>
        ) : null}
      </Flex>
      <ol className="th-talk" aria-label={t("feedback.talk")}>
        <Message
          author={data.userName}
          time={data.createTime}
          content={data.content}
          images={data.imageFiles}
          staff={false}
        />
        {data.replies.map((line) => (
          <Message
            key={line.id}
            author={line.userName}
            time={line.createTime}
            content={line.content}
            images={line.imageFiles}
            staff={line.fromStaff}
          />
        ))}
      </ol>
      <Rated feedback={data} />
      <ThreadActs feedback={data} />
    </div>
  );
}

interface MessageProps {
  author: string;
  time: number;
  content: string;
  images: FileView[];
  staff: boolean;
}

function Message({ author, time, content, images, staff }: MessageProps) {
  const { t } = useTranslation("thesis");
  return (
    <li className={staff ? "is-staff" : ""}>
      <div className="th-history-head">
        <strong>{author}</strong>
        {staff ? <span className="th-quiet">{t("feedback.staff")}</span> : null}
        <TimeText value={time} relative />
      </div>
      <div className="th-talk-text">{content}</div>
      {images.length > 0 ? (
        <Flex gap={8} wrap>
          {images.map((image) => (
            <FileImage key={image.id} id={image.id} alt={image.name} width={140} />
          ))}
        </Flex>
      ) : null}
    </li>
  );
}

function Rated({ feedback }: { feedback: FeedbackDetail }) {
  const { t } = useTranslation("thesis");
  if (feedback.rating === 0) return null;
  return (
    <Flex gap={8} align="center" wrap>
      <span>{t("feedback.rated")}</span>
      <Rate disabled value={feedback.rating} aria-label={t("feedback.stars", { n: feedback.rating })} />
      <span className="th-quiet">{feedback.ratingComment}</span>
    </Flex>
  );
}
