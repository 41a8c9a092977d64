import { Col, Form, type FormInstance, Input, Row } from "antd";
import { DictSelect } from "@/kernel/dict";
import { useTranslation } from "@/kernel/i18n";
import { lengthOf } from "../shared/length";
import { needsProject, rules, type SubjectValues, TITLE_LONG, TITLE_MAX } from "./form";
import { useRefused } from "./refused";
import { SimilarTitles } from "./SimilarTitles";

const counted = (max: number) => ({ show: true, max, strategy: lengthOf });

interface Props {
  form: FormInstance<SubjectValues>;
  own: boolean;
  englishRequired: boolean;
}

/** Titles, kind and source; a chosen topic fixes all but the English title. */
export function TitleFields({ form, own, englishRequired }: Props) {
  const { t } = useTranslation("thesis");
  const refused = useRefused();
  const typed = Form.useWatch("titleZh", form) ?? "";
  const source = Form.useWatch("thesisSource", form);
  return (
    <>
      {own ? (
        <Form.Item
          name="titleZh"
          label={t("subject.titleZh")}
          required
          rules={[rules.titleZh, refused("titleZh")]}
          extra={<TitleHelp title={typed} />}
        >
          <Input count={counted(TITLE_MAX)} />
        </Form.Item>
      ) : null}
      {/* Several students may share an offered topic: only an own title is compared. */}
      <SimilarTitles title={own ? typed : ""} />
      <Form.Item
        name="titleEn"
        label={t("subject.titleEn")}
        required={englishRequired}
        rules={[rules.titleEn(englishRequired), refused("titleEn")]}
      >
        <Input count={counted(300)} lang="en" />
      </Form.Item>
      {own ? (
        <Row gutter={16}>
          <Col xs={24} md={12}>
            <Form.Item
              name="thesisType"
              label={t("subject.type")}
              rules={[rules.chosen(t("subject.typeMissing")), refused("thesisType")]}
            >
              <DictSelect type="thesis_type" />
            </Form.Item>
          </Col>
          <Col xs={24} md={12}>
            <Form.Item
              name="thesisSource"
              label={t("subject.source")}
              rules={[rules.chosen(t("subject.sourceMissing")), refused("thesisSource")]}
            >
              <DictSelect type="thesis_source" />
            </Form.Item>
          </Col>
          {needsProject(source) ? (
            <Col xs={24} md={12}>
              <Form.Item
                name="sourceNo"
                label={t("subject.sourceNo")}
                required
                rules={[rules.sourceNo(true), refused("sourceNo")]}
                extra={t("subject.sourceNoHelp")}
              >
                <Input count={counted(60)} />
              </Form.Item>
            </Col>
          ) : null}
        </Row>
      ) : null}
    </>
  );
}

/** A long title is allowed but seldom wise: said while there is time to shorten it. */
function TitleHelp({ title }: { title: string }) {
  const { t } = useTranslation("thesis");
  const n = lengthOf(title);
  if (n > TITLE_LONG && n <= TITLE_MAX) {
    return <span className="th-warn">{t("subject.titleLong", { n, max: TITLE_LONG })}</span>;
  }
  return <>{t("subject.titleHelp", { max: TITLE_LONG })}</>;
}
