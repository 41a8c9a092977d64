/**
 * Items as three designers write them, with spaces and members only they know; tests ask
 * that these come back letter by letter.
 */
export const houseItems = [
  '{"type":"DictSelect","field":"type","title":"请假类型","$required":true,"props":{"dictType":"bpm_oa_leave_type"}}',
  '{ "type": "inputNumber", "field": "day", "title": "请假天数", "$required": true, "props": {"min": 1.0, "max": 180} }',
  '{"type":"textarea","field":"reason","title":"请假事由","$required":true,"props":{"maxlength":500}}',
  '{"type":"tableForm","field":"trips","title":"行程","props":{"min":1,"columns":[{"label":"城市","required":true,"rule":[{"type":"input","field":"city","title":"城市"}]},{"label":"费用","style":{"width":"90px"},"rule":[{"type":"inputNumber","field":"cost","props":{"prefix":"¥"}}]}]}}',
];

export const formCreateItems = [
  '{"type":"input","field":"Fa1","title":"姓名","info":"","$required":"请写姓名","_fc_id":"id_Fa1","name":"ref_Fa1","display":true,"hidden":false,"_fc_drag_tag":"input"}',
  '{"type":"el-input","field":"note","title":"备注","props":{"type":"textarea"},"validate":[{"trigger":"change","min":2,"max":20,"message":"长度不对"}]}',
  '{"type":"fcRow","children":[{"type":"col","props":{"span":12},"children":[{"type":"radio","field":"sex","title":"性别","effect":{"fetch":"","required":"必填"},"options":[{"label":"男","value":1},{"label":"女","value":2}]}]},"裸文本"]}',
  '{"type":"datePicker","field":"when","title":"起止","props":{"type":"daterange","valueFormat":"x"}}',
  '{"type":"signaturePad","field":"sign","title":"签名","props":{"penColor":"#000"}}',
];

export const generatorItems = [
  '{"__config__":{"label":"手机","tag":"el-input","required":true,"defaultValue":"","regList":[{"pattern":"/^1\\\\d{10}$/","message":"手机号不对"}],"formId":101},"__vModel__":"mobile","placeholder":"请输入","maxlength":11,"style":{"width":"100%"}}',
  '{"__config__":{"label":"等级","tag":"el-select","required":false},"__slot__":{"options":[{"label":"一级","value":1},{"label":"二级","value":2}]},"__vModel__":"level","multiple":false}',
  '{"__config__":{"layout":"rowFormItem","tagIcon":"row","children":[{"__config__":{"label":"同意","tag":"el-switch","defaultValue":false},"__vModel__":"agree"}]},"type":"default","gutter":15}',
  '{"__config__":{"label":"评分","tag":"el-rate"},"__vModel__":"rate","max":5}',
];
